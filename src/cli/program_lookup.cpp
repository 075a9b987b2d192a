#include "cli/program_lookup.hpp"

#include <cstdlib>
#include <string>
#include <unistd.h>

namespace anyorder::cli {
namespace {

Program judge(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return {};
  if (std::filesystem::is_directory(status)) return {Lookup::directory, path};
  if (::access(path.c_str(), X_OK) != 0) return {Lookup::not_executable, path};
  return {Lookup::found, path};
}

}  // namespace

Program find_program(std::string_view name, std::string_view search_path) {
  if (name.empty()) return {};
  if (name.find('/') != std::string_view::npos) return judge(name);
  Program best;
  for (;;) {
    const auto colon = search_path.find(':');
    const std::filesystem::path folder =
        colon == 0 || search_path.empty() ? "." : search_path.substr(0, colon);
    auto here = judge(folder / name);
    if (here.lookup == Lookup::found) return here;
    // A folder of that name on the way says nothing; a file that cannot be run may be what was meant.
    if (here.lookup == Lookup::not_executable && best.lookup == Lookup::missing) best = std::move(here);
    if (colon == std::string_view::npos) return best;
    search_path.remove_prefix(colon + 1);
  }
}

Program find_program(std::string_view name) {
  const char* path = std::getenv("PATH");
  return find_program(name, path != nullptr ? path : "/bin:/usr/bin");
}

}  // namespace anyorder::cli
