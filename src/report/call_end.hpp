// Where a call ends that begins at a line, by the text of its file: a finish is waited for at its closing
// parenthesis, which debug information has no line for.
//
// Contract: pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace anyorder::report {

// The line of the closing parenthesis of the call of one of these functions whose name is on line `begin`,
// from 1; 0: there is none, there are several that end on different lines, or what is conditionally compiled
// leaves it open.
[[nodiscard]] std::uint32_t end_of_call(std::span<const std::string> lines, std::uint32_t begin,
                                        std::span<const std::string_view> functions);

}  // namespace anyorder::report
