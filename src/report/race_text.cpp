#include "report/race_text.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "findings/own_code.hpp"
#include "report/creation_tree.hpp"
#include "report/hexadecimal.hpp"
#include "report/named_object.hpp"
#include "report/names.hpp"
#include "report/printable.hpp"
#include "report/remedy_text.hpp"
#include "report/wording.hpp"

namespace anyorder::report {

namespace {

using findings::Frame;
using findings::Race;
using Style = Page::Style;

constexpr std::size_t kMostCallers = 3;
constexpr std::size_t kMostObjects = 3;  // besides the one in the headline

using Ranges = std::vector<std::pair<std::uintptr_t, std::uintptr_t>>;

void add_ranges(Ranges& ranges, const findings::RaceGroup& group) {
  for (const Race& race : group.races) ranges.emplace_back(race.address, race.address + race.size);
}

std::uint64_t count_disjoint(Ranges ranges) {
  std::sort(ranges.begin(), ranges.end());
  std::uint64_t count = 0;
  std::uintptr_t end = 0;
  for (const auto& range : ranges) {
    if (count == 0 || range.first >= end) ++count;
    end = std::max(end, range.second);
  }
  return count;
}

// `name` and what of it the bytes are, with its type or, if that is not known, their number.
std::string part_in_words(const NamedObject& object, const Race& race, const std::string& name) {
  if (!object.part) {
    const bool is_inside = race.memory.base != 0 && race.offset() != 0;
    return (is_inside ? "offset " + std::to_string(race.offset()) + " of " : "") + name + " (" +
           counted(race.size, "byte", "bytes") + ')';
  }
  const ObjectPart& part = *object.part;
  std::string text = name + part.path;
  if (!part.is_whole) {
    const std::string first = std::to_string(part.offset);
    const std::string last = std::to_string(part.offset + race.size - 1);
    text = (race.size == 1 ? "byte " + first : "bytes " + first + " to " + last) + " of " + text;
  }
  return part.type.empty() ? text : text + " (" + elided(part.type, kLongestName) + ')';
}

void write_stack(Page& page, const findings::Trace& stack, std::string_view indent) {
  for (const Frame& frame : stack) {
    page.out() << indent << page.styled(Style::dim, "in " + page.place_in_function(frame)) << '\n';
    if (frame.skipped.calls != 0) {
      page.out() << indent << page.styled(Style::dim, skipped_in_words(frame.skipped)) << '\n';
    }
  }
}

void write_access(Page& page, const findings::Access& access, const Frame* shown_above) {
  const std::string kind(findings::to_string(access.kind));
  const Frame& site = access.site();
  page.out() << "  " << kind << std::string(7 - kind.size(), ' ') << page.place_in_function(site) << '\n';
  constexpr std::string_view kIndent = "         ";
  const bool is_same =
      shown_above != nullptr && shown_above->source.known() && shown_above->source.file == site.source.file &&
      shown_above->source.line == site.source.line && shown_above->source.column == site.source.column;
  if (!is_same && !page.excerpt(site, kIndent) && !access.expression().empty()) {
    page.out() << kIndent << page.styled(Style::dim, printable(access.expression())) << '\n';
  }
  if (page.style().stacks) {
    write_stack(page, access.stack, kIndent);
    return;
  }

  // The callers that are the user's own; what lies between them is in the JSON.
  std::vector<const Frame*> callers;
  bool is_behind_site = false;
  for (const Frame& frame : access.stack) {
    if (is_behind_site && frame.source.known() && !findings::is_library_file(frame.source.file)) {
      callers.push_back(&frame);
    }
    is_behind_site = is_behind_site || &frame == &site;
  }
  for (std::size_t i = 0; i < std::min(callers.size(), kMostCallers); ++i) {
    page.out() << kIndent << page.styled(Style::dim, "called at " + page.place_in_function(*callers[i]))
               << '\n';
  }
  if (callers.size() > kMostCallers) {
    const std::string more = "… (" + std::to_string(callers.size() - kMostCallers) + " more)";
    page.out() << kIndent << page.styled(Style::dim, more) << '\n';
  }
}

// The same two lines may race on more than one variable.
void write_other_objects(Page& page, const Report& report, const std::vector<Race>& races,
                         const Race& shown) {
  std::vector<const Race*> others;
  for (const Race& race : races) {
    const auto is_same = [&](const Race* other) { return other->memory == race.memory; };
    if (race.memory == shown.memory || std::any_of(others.begin(), others.end(), is_same)) continue;
    if (std::holds_alternative<findings::UnknownMemory>(race.memory.object)) continue;
    others.push_back(&race);
    if (others.size() == kMostObjects) break;
  }
  for (const Race* race : others) page.out() << "  also on " << object_of(page, report, *race) << '\n';
}

}  // namespace

std::string skipped_in_words(const findings::Skipped& skipped) {
  if (skipped.period == 0) return "… " + counted(skipped.calls, "more caller", "more callers");
  const std::string what =
      skipped.period == 1 ? "the last call" : "the last " + std::to_string(skipped.period) + " calls";
  return "… " + what + ' ' + counted(skipped.calls / skipped.period, "time", "times") + " more";
}

std::uint64_t count_locations(const std::vector<findings::RaceGroup>& groups) {
  Ranges ranges;
  for (const findings::RaceGroup& group : groups) add_ranges(ranges, group);
  return count_disjoint(std::move(ranges));
}

std::uint64_t count_locations(const findings::RaceGroup& group) {
  Ranges ranges;
  add_ranges(ranges, group);
  return count_disjoint(std::move(ranges));
}

const Race& representative(const findings::RaceGroup& group) {
  return *std::min_element(group.races.begin(), group.races.end(),
                           [](const Race& a, const Race& b) { return a.kind() < b.kind(); });
}

std::string object_of(const Page& page, const Report& report, const Race& race) {
  NamedObject object = named_object(report, race);
  const std::string size = " (" + counted(race.size, "byte", "bytes") + ')';
  if (std::holds_alternative<findings::GlobalMemory>(race.memory.object)) {
    return part_in_words(object, race, elided(object.variable, kLongestName));
  }
  if (const auto* local = std::get_if<findings::LocalMemory>(&race.memory.object)) {
    const std::string owner =
        local->function.empty() ? "a function" : elided(in_words(local->function), kLongestName);
    if (local->variable.empty()) return "a local of " + owner + size;
    return part_in_words(object, race, elided(object.variable, kLongestName)) + ", a local of " + owner;
  }
  if (const auto* heap = std::get_if<findings::HeapMemory>(&race.memory.object)) {
    const std::string block = heap->bytes == 0 ? "" : " of " + counted(heap->bytes, "byte", "bytes");
    const std::string where =
        heap->allocated_at.empty()
            ? ""
            : " allocated at " + page.place_in_function(findings::frame_in_own_code(heap->allocated_at));
    if (!object.part) return part_in_words(object, race, "a heap block" + block + where);
    const std::string whole = "the " + elided(object.type, kLongestName) + where;
    if (!object.part->path.empty()) return part_in_words(object, race, "") + " of " + whole;
    object.part->type.clear();  // that of the whole
    return part_in_words(object, race, whole);
  }
  const std::string& expression =
      race.first.expression().empty() ? race.second.expression() : race.first.expression();
  return (expression.empty() ? "" : printable(expression) + ", ") + "memory at " + hexadecimal(race.address) +
         size;
}

void write_race(Page& page, const Report& report, const findings::RaceGroup& group) {
  const Race& shown = representative(group);
  std::ostream& out = page.out();
  out << page.styled(Style::bad, std::string(findings::to_string(shown.kind())) + " race on " +
                                     object_of(page, report, shown));
  const std::uint64_t locations = count_locations(group);
  if (locations > 1) {
    out << "  [" << locations << " locations, " << counted(group.bytes(), "byte", "bytes") << ']';
  }
  out << '\n';
  write_other_objects(page, report, group.races, shown);
  write_access(page, shown.first, nullptr);
  write_access(page, shown.second, &shown.first.site());
  if (const auto* heap = std::get_if<findings::HeapMemory>(&shown.memory.object);
      heap != nullptr && page.style().stacks && !heap->allocated_at.empty()) {
    out << "  allocated\n";
    write_stack(page, heap->allocated_at, "         ");
  }
  write_creations(page, shown);
  const auto remedies = report.remedies.find(sites_of(shown.first.stack, shown.second.stack));
  const bool has_remedies = remedies != report.remedies.end();
  page.paragraph(
      why_in_parallel(page, shown) + (has_remedies ? joined_later(page, remedies->second.front()) : ""),
      "  ");
  if (has_remedies) write_remedies(page, remedies->second);
  out << '\n';
}

}  // namespace anyorder::report
