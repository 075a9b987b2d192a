#include "report/ends_of_calls.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "report/call_end.hpp"
#include "report/source_files.hpp"

namespace anyorder::report {

namespace {

constexpr std::array<std::string_view, 2> kFinishes{"finish", "forall"};
constexpr std::array<std::string_view, 4> kCreations{"async", "async_future", "forasync", "forall"};

class EndsOfCalls {
 public:
  explicit EndsOfCalls(const Report& report) : files_(report.built) {
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

  // 0: not known.
  [[nodiscard]] std::uint32_t end_of(const findings::Frame& begin,
                                     std::span<const std::string_view> functions) {
    if (!begin.source.known()) return 0;
    const std::string path = absolute(begin.source.file);
    if (path.empty() || files_.has_changed(path)) return 0;
    return end_of_call(files_.lines(path), begin.source.line, functions);
  }

 private:
  void know(const findings::Trace& stack) {
    for (const findings::Frame& frame : stack) known_.insert(frame.source.file);
  }
  // The compiler's name of a file may be relative to where it was called, which only debug information tells:
  // the one file with such an end that stacks have. Empty: not known.
  [[nodiscard]] std::string absolute(const std::string& file) const {
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

  SourceFiles files_;
  std::set<std::string> known_;
};

}  // namespace

void find_ends_of_calls(Report& report) {
  if (report.remedies.empty() && report.findings.deadlocks.empty()) return;
  EndsOfCalls ends(report);
  for (auto& [sites, remedies] : report.remedies) {
    for (findings::Remedy& remedy : remedies) {
      remedy.created_end = ends.end_of(remedy.created, kCreations);
      if (remedy.later == findings::LaterJoin::end_of_finish) {
        remedy.later_end = ends.end_of(remedy.later_at, kFinishes);
      }
    }
  }
  for (findings::Deadlock& deadlock : report.findings.deadlocks) {
    for (findings::Wait& wait : deadlock.cycle) {
      if (wait.kind != findings::WaitKind::end_of_finish) continue;
      wait.ends_at = ends.end_of(findings::frame_in_own_code(wait.waits_at), kFinishes);
    }
  }
}

}  // namespace anyorder::report
