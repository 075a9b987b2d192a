#include "report/paths.hpp"

#include <filesystem>
#include <system_error>

namespace anyorder::report {

std::string current_folder() {
  std::error_code error;
  std::string folder = std::filesystem::current_path(error).string();
  if (!folder.empty() && folder.back() != '/') folder += '/';
  return folder;
}

std::string_view relative_to(std::string_view folder, std::string_view path) {
  if (!folder.empty() && path.starts_with(folder)) path.remove_prefix(folder.size());
  return path;
}

}  // namespace anyorder::report
