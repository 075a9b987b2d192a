// Lines of source files, as they are now.
//
// Contract: not thread-safe. Reads regular files only, and none larger than a source file gets. What cannot
// be read is not there: a report does without.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace anyorder::report {

class SourceFiles {
 public:
  using Time = std::filesystem::file_time_type;

  // `built`: when the program was; nothing: not known.
  explicit SourceFiles(std::optional<Time> built) : built_(built) {}

  // The line of that number, from 1, without its end.
  [[nodiscard]] const std::string* line(const std::string& path, std::uint32_t number);

  [[nodiscard]] const std::vector<std::string>& lines(const std::string& path) { return file(path).lines; }

  // The file has changed since the program was built: its lines need not be those that were compiled.
  [[nodiscard]] bool has_changed(const std::string& path);

 private:
  struct File {
    std::vector<std::string> lines;
    bool has_changed = false;
  };
  [[nodiscard]] const File& file(const std::string& path);

  std::optional<Time> built_;
  std::map<std::string, File> files_;
};

}  // namespace anyorder::report
