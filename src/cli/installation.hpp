// Where the parts of an installed anyorder are. The one place that knows, for the build tree as well.
#pragma once

#include <filesystem>
#include <string_view>

namespace anyorder::cli {

struct Installation {
  std::filesystem::path command;    // the executable
  std::filesystem::path libraries;  // the folder of libanyorder
  std::filesystem::path headers;    // the folder of anyorder/anyorder.hpp

  // The library with this detector in it, which a checked program gets in the place of libanyorder.
  [[nodiscard]] std::filesystem::path variant(std::string_view detector) const;
  // The hooks that are linked into a checked program.
  [[nodiscard]] std::filesystem::path near_hooks() const;
  // What clang loads to instrument; it may not be there.
  [[nodiscard]] std::filesystem::path pass() const;
  // What g++ reads to instrument.
  [[nodiscard]] std::filesystem::path specs() const;
};

// That of the executable `command`, an absolute path.
[[nodiscard]] Installation installation_of(const std::filesystem::path& command);
// That of the running executable.
[[nodiscard]] Installation this_installation();

// The compiler looks into this folder without being told.
[[nodiscard]] bool is_default_header_folder(const std::filesystem::path& folder);
// The linker and the loader look into this folder without being told.
[[nodiscard]] bool is_default_library_folder(const std::filesystem::path& folder);

}  // namespace anyorder::cli
