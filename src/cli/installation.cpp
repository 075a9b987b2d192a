#include "cli/installation.hpp"

#include <string>

#include "cli/build_facts.hpp"

namespace anyorder::cli {

std::filesystem::path Installation::variant(std::string_view detector) const {
  return libraries / "anyorder" / detector / kLibrarySoname;
}

std::filesystem::path Installation::near_hooks() const { return libraries / "anyorder" / "near_hooks.o"; }

std::filesystem::path Installation::pass() const { return libraries / "anyorder" / kPassFile; }

std::filesystem::path Installation::specs() const {
  return libraries / "cmake" / "anyorder" / "instrument.specs";
}

Installation installation_of(const std::filesystem::path& command) {
  const auto folder = command.parent_path();
  return {command, (folder / kBinToLibraries).lexically_normal(),
          (folder / kBinToHeaders).lexically_normal()};
}

Installation this_installation() { return installation_of(std::filesystem::read_symlink("/proc/self/exe")); }

bool is_default_header_folder(const std::filesystem::path& folder) { return folder == "/usr/include"; }

bool is_default_library_folder(const std::filesystem::path& folder) {
  for (const std::filesystem::path base : {"/lib", "/usr/lib"}) {
    if (folder == base || folder == base.string() + "64") return true;
    if (!kLibraryArchitecture.empty() && folder == base / kLibraryArchitecture) return true;
  }
  return false;
}

}  // namespace anyorder::cli
