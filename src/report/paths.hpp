// Paths as a reader knows them: relative to where the command was called.
//
// Contract: functions without state.
#pragma once

#include <string>
#include <string_view>

namespace anyorder::report {

// With a '/' at its end; empty: not known.
[[nodiscard]] std::string current_folder();

// `path` without `folder` before it, if it is below that. A part of `path`.
[[nodiscard]] std::string_view relative_to(std::string_view folder, std::string_view path);

}  // namespace anyorder::report
