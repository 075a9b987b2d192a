// The modules of the running process.
#pragma once

#include <string>
#include <vector>

#include "record/run.hpp"

namespace anyorder::record {

// All that are loaded now, the program itself with its path.
[[nodiscard]] std::vector<Module> loaded_modules();
[[nodiscard]] std::string path_of_executable();

}  // namespace anyorder::record
