// What a join policy tells, as findings.
#pragma once

#include "deadlock/listener.hpp"
#include "findings/deadlock.hpp"
#include "findings/unknown_join.hpp"

namespace anyorder::binding {

[[nodiscard]] inline findings::Frame frame_at(const events::SourceSite& site) {
  return {0, {site.file, site.line, 0, site.function}};
}
[[nodiscard]] inline findings::Trace trace_at(const events::SourceSite& site) {
  if (site.line == 0) return {};
  return findings::Trace({frame_at(site)});
}

[[nodiscard]] inline findings::Deadlock to_finding(const deadlock::Cycle& cycle) {
  findings::Deadlock found;
  for (const deadlock::WaitingTask& task : cycle) {
    found.cycle.push_back(
        {task.number, task.at_end_of_finish ? findings::WaitKind::end_of_finish : findings::WaitKind::get,
         trace_at(task.waits_at), trace_at(task.created_at)});
  }
  return found;
}

[[nodiscard]] inline findings::UnknownJoin to_finding(const deadlock::UnknownJoin& join, bool excused) {
  return {join.task,
          trace_at(join.got_at),
          trace_at(join.created_at),
          join.future,
          trace_at(join.future_created_at),
          excused};
}

}  // namespace anyorder::binding
