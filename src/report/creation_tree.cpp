#include "report/creation_tree.hpp"

#include <cstddef>
#include <iterator>
#include <ostream>
#include <string_view>

namespace anyorder::report {

namespace {

using findings::Access;
using findings::AccessKind;
using findings::Frame;
using Style = Page::Style;

std::string_view does(const Access& access) { return access.kind == AccessKind::write ? "writes" : "reads"; }

const Frame& creation(const Access& access, std::size_t generation) {
  return *std::next(access.created_at.begin(), static_cast<std::ptrdiff_t>(generation));
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// The child of the common task from which the access's task descends, and where that was created.
std::string_view relation(const Access& access) {
  const std::size_t generations = access.parting->generations;
  return generations == 1 ? "" : generations == 2 ? "the parent of " : "an ancestor of ";
}
const Frame& first_creation(const Access& access) {
  return creation(access, access.parting->generations - 1);
}

void write_way(Page& page, const Access& access, bool is_last) {
  constexpr std::size_t kMostShown = 6;
  constexpr std::string_view kIndent = "  ";
  const std::string_view branch = is_last ? "└─ " : "├─ ";
  const std::string_view beside = is_last ? "   " : "│  ";
  const std::size_t generations = access.parting->generations;
  if (generations == 0) {
    page.out() << page.styled(Style::dim, std::string(kIndent) + std::string(branch)) << "goes on, and "
               << does(access) << '\n';
    return;
  }
  std::string stem(kIndent);
  std::size_t shown = 0;
  for (std::size_t left = generations; left > 0; --left) {
    std::string line = stem + std::string(shown == 0 ? branch : "└─ ");
    stem += shown == 0 ? beside : "   ";
    if (shown + 1 == kMostShown && left > 1) {
      page.out() << page.styled(Style::dim, line) << "… (" << left - 1 << " more)\n";
      left = 1;
      line = stem + "└─ ";
    }
    ++shown;
    const std::string at = page.place(creation(access, left - 1));
    page.out() << page.styled(Style::dim, line);
    if (left > 1) {
      page.out() << "a task created at " << at << '\n';
    } else {
      page.out() << Page::task(access.task) << ", created at " << at << ": " << does(access) << '\n';
    }
  }
}

}  // namespace

void write_creations(Page& page, const findings::Race& race) {
  if (!race.first.parting || !race.second.parting) {
    for (const Access* access : {&race.first, &race.second}) {
      page.out() << "  " << does(*access) << ": "
                 << page.task_with_creations(access->task, access->created_at) << '\n';
    }
    return;
  }
  const std::size_t generations = race.first.parting->generations;
  page.out() << "  " << Page::task(race.first.parting->task);
  if (race.first.created_at.size() > generations) {
    page.out() << ", created at " << page.place(creation(race.first, generations));
  }
  page.out() << '\n';
  write_way(page, race.first, false);
  write_way(page, race.second, true);
}

std::string why_in_parallel(const Page& page, const findings::Race& race) {
  if (!race.first.parting || !race.second.parting) {
    return "Nothing orders them: no finish and no get makes one of the two tasks wait for the other.";
  }
  const std::string common = capitalized(Page::task(race.first.parting->task));
  const auto child_of = [&](const Access& access) {
    return std::string(relation(access)) + Page::task(access.task);
  };
  const bool first_goes_on = race.first.parting->generations == 0;
  if (first_goes_on || race.second.parting->generations == 0) {
    const Access& created = first_goes_on ? race.second : race.first;
    const Access& goes_on = first_goes_on ? race.first : race.second;
    const Frame& at = first_creation(created);
    return common + " creates " + child_of(created) + " at " + page.place(at) + " and goes on to " +
           page.place_after(at, goes_on.site()) + " without waiting: no finish around " +
           page.place_after(at, at) + " ends before, and no get waits for " + Page::task(created.task) + '.';
  }
  const Frame& one = first_creation(race.first);
  const Frame& other = first_creation(race.second);
  if (findings::site_of(one) == findings::site_of(other)) {
    return common + " creates both at " + page.place(one) +
           " without waiting in between: no finish ends between the two creations, and no get makes one "
           "task wait for the other.";
  }
  return common + " creates " + child_of(race.first) + " at " + page.place(one) + " and " +
         child_of(race.second) + " at " + page.place_after(one, other) +
         " without waiting in between: no finish around one of the creations ends before the other, and no "
         "get makes one task wait for the other.";
}

}  // namespace anyorder::report
