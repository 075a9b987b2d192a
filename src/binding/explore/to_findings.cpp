#include "binding/explore/to_findings.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace anyorder::binding {
namespace {

findings::Frame frame_at(const events::SourceSite& site) {
  return {0, {site.file, site.line, 0, site.function}};
}

// A return address: the code is before it.
findings::Trace trace_of(std::uintptr_t return_address) {
  return findings::Trace({findings::Frame{return_address - 1, {}}});
}

findings::Trace creations_of(exploring::TaskNumber task, const ObservedProgram& program) {
  findings::Trace::Frames frames;
  for (; task != 0; task = program.tasks()[task].parent)
    frames.push_back(frame_at(program.tasks()[task].created_at));
  return findings::Trace(std::move(frames));
}

findings::Access access_of(const exploring::SeenAccess& seen, const ObservedProgram& program) {
  return {seen.write ? findings::AccessKind::write : findings::AccessKind::read, seen.task,
          trace_of(seen.site), creations_of(seen.task, program)};
}

}  // namespace

findings::Race to_finding(const exploring::RaceSeen& race, const ObservedProgram& program) {
  findings::Race found;
  const unsigned mask = race.bytes;
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  found.address = race.word * 8 + first;
  found.size = static_cast<std::uint64_t>(std::countr_one(mask >> first));
  found.first = access_of(race.first, program);
  found.second = access_of(race.second, program);
  if (const auto block = program.block_at(found.address)) {
    found.memory = {block->begin, findings::HeapMemory{trace_of(block->allocated_at)}};
  } else if (auto local = program.local_at(found.address)) {
    found.memory = {0, *std::move(local)};
  }
  return found;
}

findings::Deadlock to_finding(const std::vector<exploring::LiveTask>& stuck, const ObservedProgram& program) {
  // Each waits for another one of them: who follows these comes to one that was there before.
  std::vector<std::size_t> path;
  std::size_t at = 0;
  while (std::find(path.begin(), path.end(), at) == path.end()) {
    path.push_back(at);
    if (!stuck[at].waits.empty() && stuck[at].waits.front() < stuck.size()) at = stuck[at].waits.front();
  }
  findings::Deadlock deadlock;
  for (auto in_cycle = std::find(path.begin(), path.end(), at); in_cycle != path.end(); ++in_cycle) {
    const exploring::TaskNumber number = stuck[*in_cycle].number;
    const ObservedProgram::TaskSeen& task = program.tasks()[number];
    deadlock.cycle.push_back({number,
                              task.waits_in_get ? findings::WaitKind::get : findings::WaitKind::end_of_finish,
                              findings::Trace({frame_at(task.waits_at)}), creations_of(number, program)});
  }
  return deadlock;
}

}  // namespace anyorder::binding
