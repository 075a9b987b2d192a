#include "record/folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace anyorder::record {

Folder::Folder() {
  const char* chosen = std::getenv("TMPDIR");
  const std::filesystem::path above =
      std::filesystem::absolute(chosen != nullptr && *chosen != '\0' ? chosen : "/tmp");
  std::string pattern = above / "anyorder.XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error("No temporary folder can be made in " + above.string() + ": " +
                             std::strerror(errno) + ". Set TMPDIR to a folder that can be written.");
  }
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace anyorder::record
