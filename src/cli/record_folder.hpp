// The private folder in which the processes of a checked program leave their records.
#pragma once

#include <filesystem>

namespace anyorder::cli {

// Made in $TMPDIR, else in /tmp; readable to its user alone; removed with all that is in it.
class RecordFolder {
 public:
  // Throws EnvironmentError.
  RecordFolder();
  RecordFolder(const RecordFolder&) = delete;
  RecordFolder& operator=(const RecordFolder&) = delete;
  ~RecordFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;  // absolute
};

}  // namespace anyorder::cli
