#include "report/page.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include "report/hexadecimal.hpp"
#include "report/names.hpp"
#include "report/paths.hpp"
#include "report/printable.hpp"

namespace anyorder::report {

namespace {

using findings::Frame;
using findings::Trace;

constexpr std::size_t kMostCreations = 3;

std::string_view code_of(Page::Style style) {
  switch (style) {
    case Page::Style::bad:
      return "\033[1;31m";
    case Page::Style::good:
      return "\033[1;32m";
    case Page::Style::doubtful:
      return "\033[1;33m";
    case Page::Style::dim:
      return "\033[2m";
    case Page::Style::mark:
      return "\033[1;36m";
    case Page::Style::plain:
      break;
  }
  return {};
}

// A line of source and where in it the mark goes, in characters.
struct Window {
  std::string text;
  std::size_t mark;
};

// `column` counts bytes from 1; 0: not known. Of a line that does not fit, the part around the column.
Window window_on(std::string_view line, std::uint32_t column, std::size_t width) {
  const std::size_t before = std::min<std::size_t>(column == 0 ? 0 : column - 1, line.size());
  std::string text = printable(line);
  std::size_t mark = width_of(printable(line.substr(0, before)));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (width_of(text) <= width) return {std::move(text), mark};
  constexpr std::size_t kAhead = 3;  // of the line's width, this part is shown before the column
  std::size_t skipped = 0;
  if (mark > width - width / kAhead) skipped = mark - width / kAhead;
  text.erase(0, first_characters(text, skipped).size());
  mark -= skipped;
  const bool is_cut = width_of(text) > width;
  text = first_characters(text, width);
  if (skipped > 0) text.replace(0, first_characters(text, 1).size(), "…");
  if (is_cut) text = std::string(first_characters(text, width - 1)) + "…";
  return {std::move(text), mark};
}

}  // namespace

Page::Page(std::ostream& out, const TextStyle& style, SourceFiles files)
    : out_(out), style_(style), files_(std::move(files)), here_(current_folder()) {}

std::string Page::styled(Style style, std::string text) const {
  if (!style_.colour || text.empty()) return text;
  return std::string(code_of(style)) + std::move(text) + "\033[0m";
}

std::string Page::shown_file(const Frame& frame) const {
  if (!frame.source.known()) return {};
  return printable(relative_to(here_, frame.source.file));
}

std::string Page::place(const Frame& frame) const {
  if (frame.source.known()) return shown_file(frame) + ':' + std::to_string(frame.source.line);
  if (frame.pc == 0) return "an unknown place";
  return hexadecimal(frame.pc) + (frame.module.empty() ? "" : " of " + printable(frame.module));
}

std::string Page::place_after(const Frame& before, const Frame& frame) const {
  const std::string file_before = shown_file(before);
  const bool is_same = frame.source.known() && !file_before.empty() && file_before == shown_file(frame);
  return is_same ? "line " + std::to_string(frame.source.line) : place(frame);
}

std::string Page::place_in_function(const Frame& frame) const {
  const std::string function = in_words(frame.source.function);
  return function.empty() ? place(frame) : place(frame) + " in " + elided(function, kLongestName);
}

std::string Page::task(std::uint64_t number) {
  return number == 0 ? "the main task" : "task " + std::to_string(number);
}

std::string Page::task_with_creations(std::uint64_t number, const Trace& created_at) const {
  std::string text = task(number);
  std::size_t shown = 0;
  for (const Frame& frame : created_at) {
    if (shown == kMostCreations) break;
    text += (shown == 0 ? ", created at " : "; its parent at ") + place_in_function(frame);
    ++shown;
  }
  if (created_at.size() > shown) text += "; … (" + std::to_string(created_at.size() - shown) + " more)";
  return text;
}

bool Page::excerpt(const Frame& frame, std::string_view indent) {
  if (!frame.source.known()) return false;
  const std::string* line = files_.line(frame.source.file, frame.source.line);
  if (line == nullptr) return false;
  if (files_.has_changed(frame.source.file)) {
    out_ << indent << styled(Style::dim, "(the file has changed since the program was built)") << '\n';
    return false;
  }
  constexpr std::size_t kWidest = 160;
  constexpr std::size_t kNarrowest = 40;
  const std::string number = std::to_string(frame.source.line);
  const std::size_t margin = indent.size() + number.size() + 3;
  const std::size_t room = style_.width == 0 ? kWidest : std::max(style_.width, margin + kNarrowest) - margin;
  const Window window = window_on(*line, frame.source.column, room);
  out_ << indent << styled(Style::dim, number + " | ") << window.text << '\n';
  if (frame.source.column == 0) return true;
  out_ << indent << styled(Style::dim, std::string(number.size(), ' ') + " | ")
       << std::string(window.mark, ' ') << styled(Style::mark, "^") << '\n';
  return true;
}

void Page::paragraph(std::string_view text, std::string_view indent) {
  constexpr std::size_t kUsual = 100;
  constexpr std::size_t kNarrowest = 40;
  const std::size_t width = std::max(style_.width == 0 ? kUsual : style_.width, kNarrowest);
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t room = width_of(word) + 1;
    if (used != 0 && used + room > width) {
      out_ << '\n';
      used = 0;
    }
    if (used == 0) {
      out_ << indent << word;
      used = indent.size() + room - 1;
    } else {
      out_ << ' ' << word;
      used += room;
    }
  }
  out_ << '\n';
}

}  // namespace anyorder::report
