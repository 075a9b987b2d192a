// A schedule: which of the tasks that stood in front of a section went on, each time that all stood. As a
// text, numbers with dots between them; those that are missing at the end are 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace anyorder::exploring {

using Schedule = std::vector<std::uint32_t>;

[[nodiscard]] std::string to_text(const Schedule& schedule);
// Nothing if it is not a schedule.
[[nodiscard]] std::optional<Schedule> schedule_in(std::string_view text);

}  // namespace anyorder::exploring
