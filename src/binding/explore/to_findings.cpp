#include "binding/explore/to_findings.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "binding/joins/to_findings.hpp"
#include "findings/origin.hpp"

namespace anyorder::binding {
namespace {

std::uintptr_t code_before(std::uintptr_t return_address) { return return_address - 1; }

findings::Trace creations_of(exploring::TaskNumber task, const ObservedProgram& program) {
  findings::Trace::Frames frames;
  for (; task != 0; task = program.tasks()[task].parent)
    frames.push_back(frame_at(program.tasks()[task].created_at));
  return findings::Trace(std::move(frames));
}

findings::OriginatedAccess access_of(const exploring::SeenAccess& seen, const ObservedProgram& program) {
  using Creation = std::optional<std::pair<findings::Frame, std::uint64_t>>;
  const auto creation_of = [&](std::uint64_t number) {
    const ObservedProgram::TaskSeen& task = program.tasks()[number];
    return number == 0 ? Creation() : Creation({frame_at(task.created_at), task.parent});
  };
  return {seen.write ? findings::AccessKind::write : findings::AccessKind::read, code_before(seen.site),
          findings::origin_of(seen.task, creation_of)};
}

}  // namespace

findings::Race to_finding(const exploring::RaceSeen& race, const ObservedProgram& program) {
  const unsigned mask = race.bytes;
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  const std::uintptr_t begin = race.word * 8 + first;
  const auto bytes = static_cast<std::uintptr_t>(std::countr_one(mask >> first));
  findings::Race found = findings::race_between(begin, begin + bytes, access_of(race.first, program),
                                                access_of(race.second, program));
  if (const auto block = program.block_at(found.address)) {
    found.memory = {
        block->begin,
        findings::HeapMemory{findings::Trace({findings::Frame{code_before(block->allocated_at), {}}}),
                             block->bytes}};
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
