#include "report/whole_stacks.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "report/race_text.hpp"

namespace anyorder::report {

namespace {

using findings::Access;
using findings::Frame;
using findings::Race;
using findings::Trace;

// So many calls at least have to be there before an ordinary run leaves any out.
constexpr std::size_t kFewestCut = 8;

bool is_same_line(const Frame& a, const Frame& b) {
  return std::tie(a.source, a.module) == std::tie(b.source, b.module);
}

// The first frames of a stack as they were before repetitions were left out; up to a gap.
std::vector<const Frame*> unfolded(const Trace& stack, std::size_t most) {
  std::vector<const Frame*> frames;
  for (const Frame& frame : stack) {
    frames.push_back(&frame);
    const findings::Skipped& skipped = frame.skipped;
    for (std::uint64_t i = 0; i != skipped.calls && frames.size() < most; ++i) {
      if (skipped.period == 0) return frames;
      frames.push_back(frames[frames.size() - skipped.period]);
    }
    if (frames.size() >= most) break;
  }
  return frames;
}

bool may_be_cut(const Trace& near) {
  std::size_t calls = 0;
  const Frame* before = nullptr;
  for (const Frame& frame : near) {
    // What is inlined has the address of what it is in.
    if (before == nullptr || before->pc != frame.pc) ++calls;
    before = &frame;
  }
  return calls >= kFewestCut;
}

bool is_same_access(const Access& one, const Access& again) {
  return one.kind == again.kind && one.task == again.task &&
         std::equal(one.created_at.begin(), one.created_at.end(), again.created_at.begin(),
                    again.created_at.end(), is_same_line) &&
         begins_with(again.stack, one.stack);
}

// What is the same in every run about the object that a race is on; empty: nothing.
std::string object_in_any_run(const findings::Memory& memory) {
  if (const auto* global = std::get_if<findings::GlobalMemory>(&memory.object)) return global->symbol;
  if (const auto* local = std::get_if<findings::LocalMemory>(&memory.object)) {
    return local->variable.empty() ? "" : local->variable + " of " + local->function;
  }
  if (const auto* heap = std::get_if<findings::HeapMemory>(&memory.object)) {
    const findings::Site site = findings::site_of(findings::frame_in_own_code(heap->allocated_at));
    return site.file.empty()
               ? ""
               : site.file + ':' + std::to_string(site.line) + ' ' + std::to_string(heap->bytes);
  }
  return {};
}

// Objects that several of a group's races are on may look alike: nodes of a list, for one.
std::set<std::string> ambiguous_objects(const findings::RaceGroup& group) {
  std::map<std::string, std::uintptr_t> bases;
  std::set<std::string> ambiguous;
  for (const Race& race : group.races) {
    const std::string object = object_in_any_run(race.memory);
    const auto [known, is_new] = bases.try_emplace(object, race.memory.base);
    if (!is_new && known->second != race.memory.base) ambiguous.insert(object);
  }
  return ambiguous;
}

class Again {
 public:
  Again(const findings::RaceGroup& races, const findings::RaceGroup& again)
      : ambiguous_(ambiguous_objects(races)) {
    ambiguous_.merge(ambiguous_objects(again));
    ambiguous_.insert(std::string());
    for (const Race& race : again.races) {
      by_tasks_.emplace(std::pair(race.first.task, race.second.task), &race);
      by_object_.emplace(std::tuple(object_in_any_run(race.memory), race.offset(), kinds_of(race)), &race);
    }
  }

  [[nodiscard]] const Race* like(const Race& race) const {
    const auto [begin, end] = by_tasks_.equal_range({race.first.task, race.second.task});
    const auto same = std::find_if(begin, end, [&](const auto& other) {
      return is_same_access(race.first, other.second->first) &&
             is_same_access(race.second, other.second->second);
    });
    if (same != end) return same->second;
    const std::string object = object_in_any_run(race.memory);
    if (ambiguous_.contains(object)) return nullptr;
    const auto found = by_object_.find({object, race.offset(), kinds_of(race)});
    return found == by_object_.end() ? nullptr : found->second;
  }

 private:
  // Of the two accesses in any order: a parallel run has no first one.
  static int kinds_of(const Race& race) { return race.kind() == findings::RaceKind::write_write ? 0 : 1; }

  std::set<std::string> ambiguous_;
  std::multimap<std::pair<std::uint64_t, std::uint64_t>, const Race*> by_tasks_;
  std::map<std::tuple<std::string, std::uint64_t, int>, const Race*> by_object_;
};

}  // namespace

bool begins_with(const Trace& whole, const Trace& near) {
  const std::vector<const Frame*> frames = unfolded(whole, near.size());
  return frames.size() >= near.size() &&
         std::equal(near.begin(), near.end(), frames.begin(),
                    [](const Frame& frame, const Frame* other) { return is_same_line(frame, *other); });
}

bool take_stacks(findings::RaceGroup& races, const findings::RaceGroup& again) {
  const Again known(races, again);
  const Race& shown = representative(races);
  const bool was_there =
      known.like(shown) != nullptr || (!may_be_cut(shown.first.stack) && !may_be_cut(shown.second.stack));
  for (Race& race : races.races) {
    const Race* const like = known.like(race);
    if (like == nullptr) continue;
    race.first = like->first;
    race.second = like->second;
  }
  return was_there;
}

}  // namespace anyorder::report
