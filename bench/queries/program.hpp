// A program that measures tables, part by part: its options, what it prints and its exit code.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "queries/table.hpp"

namespace bench {

struct Part {
  std::string_view name;  // for --only
  // Throws what is derived from std::exception if an answer was wrong.
  std::vector<Table> (*measure)(bool smoke);
};

// The exit code is 0 whatever the times are, 1 if an answer was wrong, 64 for wrong options, and 70 if the
// file cannot be written.
[[nodiscard]] int run_parts(int argc, char** argv, std::span<const Part> parts);

}  // namespace bench
