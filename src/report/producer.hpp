// Which compiler made a file, as its debug information has it.
#pragma once

#include <string>

namespace anyorder::report {

// Whether part of the file comes from a clang that leaves accesses out: before version 21, what a function
// does to elements and members of its own local variables is not instrumented, though other tasks may use
// them, and no access of other than 1, 2, 4, 8 or 16 bytes is.
[[nodiscard]] bool is_from_forgetful_clang(const std::string& path);

}  // namespace anyorder::report
