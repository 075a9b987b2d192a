// The programs of the paper's first table.
#pragma once

#include <vector>

#include "programs.hpp"

namespace bench::explore {

[[nodiscard]] std::vector<Program> small_programs();
[[nodiscard]] std::vector<Program> large_programs();

}  // namespace bench::explore
