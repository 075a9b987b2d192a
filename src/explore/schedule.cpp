#include "explore/schedule.hpp"

#include <charconv>

namespace anyorder::exploring {

std::string to_text(const Schedule& schedule) {
  std::size_t length = schedule.size();
  while (length > 1 && schedule[length - 1] == 0) --length;
  if (length == 0) return "0";
  std::string text;
  for (std::size_t i = 0; i != length; ++i) {
    if (i != 0) text += '.';
    text += std::to_string(schedule[i]);
  }
  return text;
}

std::optional<Schedule> schedule_in(std::string_view text) {
  Schedule schedule;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    std::uint32_t choice = 0;
    const auto [after, error] = std::from_chars(at, end, choice);
    if (error != std::errc{}) return std::nullopt;
    schedule.push_back(choice);
    if (after == end) return schedule;
    if (*after != '.') return std::nullopt;
    at = after + 1;
  }
}

}  // namespace anyorder::exploring
