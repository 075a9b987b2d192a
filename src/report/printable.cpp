#include "report/printable.hpp"

#include <algorithm>

namespace anyorder::report {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// The length of the UTF-8 character that the text begins with; 0: it begins with none. The shortest form is
// not insisted on: a terminal does no harm with another.
std::size_t length_of_first(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  return std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), is_continuation)
             ? length
             : 0;
}

bool is_control(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  // The second range is that of U+0080 to U+009F.
  return lead < 0x20 || lead == 0x7F || (lead == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = length_of_first(text);
    const std::string_view first = text.substr(0, std::max<std::size_t>(length, 1));
    if (first == "\t") {
      result += ' ';
    } else if (length == 0 || is_control(first)) {
      result += "\uFFFD";
    } else {
      result += first;
    }
    text.remove_prefix(first.size());
  }
  return result;
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !is_continuation(byte); }));
}

std::string_view first_characters(std::string_view text, std::size_t width) {
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (is_continuation(text[end])) continue;
    if (seen++ == width) break;
  }
  return text.substr(0, end);
}

std::string elided(std::string_view text, std::size_t most) {
  std::string whole = printable(text);
  const std::size_t width = width_of(whole);
  if (width <= most) return whole;
  const std::size_t behind = most / 3;
  const std::size_t before = most - behind - 1;
  const std::size_t skipped = first_characters(whole, width - behind).size();
  return std::string(first_characters(whole, before)) + "…" + whole.substr(skipped);
}

}  // namespace anyorder::report
