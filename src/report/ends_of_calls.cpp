#include "report/ends_of_calls.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "findings/own_code.hpp"
#include "report/absolute_paths.hpp"
#include "report/call_end.hpp"
#include "report/source_files.hpp"

namespace anyorder::report {

namespace {

constexpr std::array<std::string_view, 2> kFinishes{"finish", "forall"};
constexpr std::array<std::string_view, 4> kCreations{"async", "async_future", "forasync", "forall"};

class EndsOfCalls {
 public:
  explicit EndsOfCalls(const Report& report) : files_(report.built), paths_(report) {}

  // 0: not known.
  [[nodiscard]] std::uint32_t end_of(const findings::Frame& begin,
                                     std::span<const std::string_view> functions) {
    if (!begin.source.known()) return 0;
    const std::string path = paths_.of(begin.source.file);
    if (path.empty() || files_.has_changed(path)) return 0;
    return end_of_call(files_.lines(path), begin.source.line, functions);
  }

  // Where the second access is in a function that the finish calls, the join belongs in front of that call:
  // in sight of the creation, and of no concern to others who call the function. Of `remedy`, whose finish
  // that comes too late has an end; null: no such call, or the creation is elsewhere.
  [[nodiscard]] const findings::Frame* call_from_finish(const findings::Remedy& remedy) const {
    const std::string path = paths_.of(remedy.later_at.source.file);
    const auto is_inside = [&](const findings::Frame& frame) {
      return frame.source.line >= remedy.later_at.source.line && frame.source.line <= remedy.later_end &&
             paths_.of(frame.source.file) == path;
    };
    if (path.empty() || !is_inside(remedy.created)) return nullptr;
    const auto call = std::find_if(remedy.second.begin(), remedy.second.end(), is_inside);
    return call == remedy.second.end() ? nullptr : &*call;
  }

 private:
  SourceFiles files_;
  AbsolutePaths paths_;
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
      const bool is_at_access =
          findings::site_of(remedy.before) == findings::site_of(findings::frame_in_own_code(remedy.second));
      if (remedy.later_end == 0 || !is_at_access) continue;
      if (const findings::Frame* const call = ends.call_from_finish(remedy)) remedy.before = *call;
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
