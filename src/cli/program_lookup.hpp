// Finds the file that a command's first word means, as execvp does.
#pragma once

#include <filesystem>
#include <string_view>

namespace anyorder::cli {

enum class Lookup { found, missing, directory, not_executable };

struct Program {
  Lookup lookup = Lookup::missing;
  std::filesystem::path path;  // of what was found, be it executable or not; empty if missing
};

// With a slash in it `name` is a path; otherwise it is searched in the folders of `search_path`, which are
// separated by colons. An empty folder is the current one.
[[nodiscard]] Program find_program(std::string_view name, std::string_view search_path);
// The same with $PATH.
[[nodiscard]] Program find_program(std::string_view name);

}  // namespace anyorder::cli
