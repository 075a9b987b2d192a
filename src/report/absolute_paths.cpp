#include "report/absolute_paths.hpp"

#include <filesystem>

namespace anyorder::report {

AbsolutePaths::AbsolutePaths(const Report& report) {
  for (const findings::RaceGroup& group : report.findings.races) {
    for (const findings::Access* access : {&group.races.front().first, &group.races.front().second}) {
      know(access->stack);
    }
  }
  for (const auto& [sites, remedies] : report.remedies) {
    for (const findings::Remedy& remedy : remedies) {
      know(remedy.first);
      know(remedy.second);
    }
  }
}

std::string AbsolutePaths::of(const std::string& file) const {
  const std::filesystem::path path(file);
  if (path.is_absolute()) return file;
  std::string end = path.lexically_normal().string();
  while (end.starts_with("../")) end.erase(0, 3);
  std::string found;
  for (const std::string& known : known_) {
    if (!known.ends_with('/' + end)) continue;
    if (!found.empty()) return {};
    found = known;
  }
  return found;
}

void AbsolutePaths::know(const findings::Trace& stack) {
  for (const findings::Frame& frame : stack) known_.insert(frame.source.file);
}

}  // namespace anyorder::report
