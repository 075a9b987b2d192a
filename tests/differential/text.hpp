// Programs as text that can be kept, read and replayed. README.md of this folder has the grammar.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "program.hpp"

namespace anyorder::differential {

[[nodiscard]] std::string to_text(const Program& program);
[[nodiscard]] std::string to_text(const HandlePlace& place);

// Every program of a file. Throws std::runtime_error with the line of what is wrong.
[[nodiscard]] std::vector<Program> read_programs(std::string_view text);
[[nodiscard]] std::vector<Program> read_programs_from(const std::string& path);

}  // namespace anyorder::differential
