// Which frame of a trace stands for it: the innermost one in code that the user wrote. An access inside
// std::vector::operator[] is shown, and grouped with others, at the line that calls it.
//
// Contract: pure functions; no thread affinity.
#pragma once

#include <string_view>

#include "findings/source.hpp"

namespace anyorder::findings {

// True for files of the system, of a compiler and of the public API, by their normalised paths.
[[nodiscard]] bool is_library_file(std::string_view path);

// The innermost frame, unless it is known to lie in a library's file and a later one in another file: then
// the first of those. Frames without a line are never preferred to one that has it.
[[nodiscard]] const Frame& frame_in_own_code(const Trace& trace);

}  // namespace anyorder::findings
