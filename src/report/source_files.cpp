#include "report/source_files.hpp"

#include <fstream>
#include <system_error>

namespace anyorder::report {

namespace fs = std::filesystem;

const SourceFiles::File& SourceFiles::file(const std::string& path) {
  const auto [entry, is_new] = files_.try_emplace(path);
  File& file = entry->second;
  if (!is_new) return file;
  constexpr std::uintmax_t kMostBytes = 16U << 20U;
  std::error_code error;
  // A pipe of that name would block.
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMostBytes || error) return file;
  const Time changed = fs::last_write_time(path, error);
  file.has_changed = !error && built_ && changed > *built_;
  std::ifstream in(path, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    file.lines.push_back(std::move(line));
  }
  return file;
}

const std::string* SourceFiles::line(const std::string& path, std::uint32_t number) {
  const File& found = file(path);
  return number == 0 || number > found.lines.size() ? nullptr : &found.lines[number - 1];
}

bool SourceFiles::has_changed(const std::string& path) { return file(path).has_changed; }

}  // namespace anyorder::report
