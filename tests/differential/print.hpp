// Programs as C++ over the public API alone, to compile, to read and to send to someone.
#pragma once

#include <span>
#include <string>

#include "program.hpp"

namespace anyorder::differential {

// One source file: program_<n>() for each, and a main that runs them one after another. With an argument it
// writes there where the objects of the programs were, as memory_map.hpp has it.
[[nodiscard]] std::string to_cpp(std::span<const Program> programs);

}  // namespace anyorder::differential
