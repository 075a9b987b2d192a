// The private folder in which the processes of a checked program leave their records.
#pragma once

#include <filesystem>

namespace anyorder::record {

// Made in $TMPDIR, else in /tmp; readable to its user alone; removed with all that is in it.
class Folder {
 public:
  // Throws std::runtime_error, with a sentence.
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;  // absolute
};

}  // namespace anyorder::record
