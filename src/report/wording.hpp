// Numbers as people read them.
//
// Contract: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace anyorder::report {

// "1 task", "3 tasks"
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

[[nodiscard]] std::string fixed(double value, int decimals);

// "2.5 MiB"
[[nodiscard]] std::string bytes_for_people(std::uint64_t bytes);

}  // namespace anyorder::report
