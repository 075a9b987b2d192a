// The command line's side of the record: what the checked processes left behind.
#pragma once

#include <string>
#include <vector>

#include "record/run.hpp"

namespace anyorder::record {

// All processes that began a record in the folder, by their numbers. Lines that a process could not finish
// are left out; a record that is damaged otherwise throws std::runtime_error.
[[nodiscard]] std::vector<Process> read_all(const std::string& folder);

}  // namespace anyorder::record
