#include "report/remedy_text.hpp"

#include <cstddef>
#include <ostream>

#include "findings/own_code.hpp"

namespace anyorder::report {

namespace {

using findings::Remedy;
using findings::RemedyKind;

// The finish to be made holds at least the call that creates the task.
std::string finish_around(const Remedy& remedy) {
  const std::uint32_t begin = remedy.created.source.line;
  if (remedy.created_end <= begin) return "a finish";
  return "a finish around lines " + std::to_string(begin) + '-' + std::to_string(remedy.created_end);
}

// Behind "To order them, ".
std::string change(const Page& page, const Remedy& remedy) {
  const std::string created = page.place(remedy.created);
  const std::string before = page.place_after(remedy.created, remedy.before);
  switch (remedy.kind) {
    case RemedyKind::get:
      return "get the future that is created at " + created + ", before " + before + '.';
    case RemedyKind::finish:
      return "put the task that is created at " + created + " into " + finish_around(remedy) +
             " that ends before " + before + '.';
    case RemedyKind::await:
      return "have the region await the task that is posted at " + created + ", before " + before + '.';
    case RemedyKind::finish_inside:
      return "put the task that is created at " + created + " into " + finish_around(remedy) + " inside " +
             (remedy.inside.source.known() ? "the task that is created at " + page.place(remedy.inside)
                                           : "the main task") +
             ": that one is waited for, but not what it creates.";
    case RemedyKind::isolated:
    case RemedyKind::none:
      break;
  }
  return {};
}

std::string isolated(const Page& page, const Remedy& remedy) {
  const findings::Frame& first = findings::frame_in_own_code(remedy.first);
  const findings::Frame& second = findings::frame_in_own_code(remedy.second);
  const bool is_one = findings::site_of(first) == findings::site_of(second);
  return "Both are updates: if their order does not matter, put " + page.place(first) +
         (is_one ? "" : " and " + page.place_after(first, second)) + " into ao::isolated.";
}

}  // namespace

std::string joined_later(const Page& page, const Remedy& remedy) {
  if (!remedy.later_at.source.known()) return " Only the end of the program waits for both.";
  const std::string at = page.place(remedy.later_at);
  if (remedy.later == findings::LaterJoin::get) return " The get at " + at + " waits for both, but later.";
  if (remedy.later_end == 0) return " The finish that begins at " + at + " waits for both, but later.";
  if (remedy.later_end == remedy.later_at.source.line)
    return " The finish at " + at + " waits for both, but later.";
  return " The finish that begins at " + at + " waits for both, but only at its end, line " +
         std::to_string(remedy.later_end) + '.';
}

void write_remedies(Page& page, const std::vector<Remedy>& remedies) {
  constexpr std::size_t kMostChanges = 3;
  std::string opening = "To order them, ";
  std::size_t shown = 0;
  for (const Remedy& remedy : remedies) {
    if (shown++ == kMostChanges) {
      page.paragraph("… (" + std::to_string(remedies.size() - kMostChanges) + " more changes)", "  ");
      break;
    }
    if (remedy.kind == RemedyKind::isolated) {
      page.paragraph(isolated(page, remedy), "  ");
      opening = "Or, to order them, ";
    } else if (remedy.kind == RemedyKind::none) {
      page.paragraph("No finish or get orders them, unless the tasks that are created at " +
                         page.place(remedy.created) + " run one after the other.",
                     "  ");
    } else {
      page.paragraph(opening + change(page, remedy), "  ");
      opening = "And for other tasks at these lines, ";
    }
  }
}

}  // namespace anyorder::report
