// The file that a report goes to: known to be writable before the run, replaced only by a complete report.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace anyorder::cli {

// Contract: one thread. A file that is there keeps its content until write() has succeeded: the report goes
// to a temporary file beside it, which takes its place. Pipes, devices and descriptors ("-", /dev/stdout,
// /dev/fd/3) are written to directly.
class ReportFile {
 public:
  // Throws UsageError if `path` cannot be written.
  explicit ReportFile(const std::string& path);
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;
  ~ReportFile();

  // At most once. Throws EnvironmentError if the text could not be stored as a whole. A writer's text is
  // stored as it comes: it may be larger than memory is. After an error the stream is bad.
  void write(std::string_view text);
  void write(const std::function<void(std::ostream&)>& writer);

 private:
  void open_descriptor(int descriptor);
  void open_special(const std::filesystem::path& path);
  void open_temporary(const std::filesystem::path& path);
  [[noreturn]] void fail(const std::string& why) const;

  std::string name_;                 // as the user gave it
  std::filesystem::path target_;     // what the temporary file replaces
  std::filesystem::path temporary_;  // empty: there is none
  int descriptor_ = -1;
};

}  // namespace anyorder::cli
