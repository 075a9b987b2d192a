#include "binding/check/recorder.hpp"

#include <optional>
#include <utility>

#include "events/running_task.hpp"

namespace anyorder::binding {

void Recorder::add(const findings::Race& race) {
  const events::InsideTool inside;
  if (is_closed() || drops_races_.load(std::memory_order_relaxed)) return;
  if (is_exempt_(race.address)) return;
  findings::Race complete = race;
  complete.memory = memory_at(race.address, race.size);
  for (findings::Access* access : {&complete.first, &complete.second}) {
    access->stack = trace_of(access->stack.innermost().pc);
  }
  if (found_.insert(complete)) writer_.add(complete);
}

void Recorder::add(const findings::Deadlock& deadlock) {
  const events::InsideTool inside;
  found_.add(deadlock);
  writer_.add(deadlock);
}

void Recorder::add(const findings::Unsupported& unsupported) {
  const events::InsideTool inside;
  if (is_closed()) return;
  findings::Unsupported complete = unsupported;
  if (const findings::Frame& where = unsupported.where.innermost(); where.pc != 0) {
    complete.where = trace_of(where.pc);
  }
  if (found_.insert(complete)) writer_.add(complete);
}

void Recorder::unknown_join(const deadlock::UnknownJoin& join) {
  const events::InsideTool inside;
  if (is_closed()) return;
  // Whether the handle came by a race is the detector's to say.
  const findings::UnknownJoin found = to_finding(join, true);
  if (found_.insert(found)) writer_.add(found);
}

void Recorder::race_expected(const void* object, std::size_t bytes, const char* why, events::SourceSite at) {
  const events::InsideTool inside;
  if (is_closed()) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(object);
  writer_.add(record::ExpectedRace{begin, begin + bytes, why, frame_at(at)});
}

void Recorder::add_remedies(std::vector<findings::Remedy> remedies) {
  for (findings::Remedy& remedy : remedies) {
    remedy.first = trace_of(remedy.first.innermost().pc);
    remedy.second = trace_of(remedy.second.innermost().pc);
    writer_.add(remedy);
  }
}

void Recorder::end(record::Ending how, findings::Coverage coverage,
                   const std::vector<std::pair<std::string, double>>& statistics) {
  // Lines for repeated unsupported constructs were not written one by one.
  for (findings::Unsupported more : found_.snapshot().unsupported) {
    if (more.count < 2) continue;
    --more.count;
    writer_.add(more);
  }
  writer_.ended(how, coverage, statistics);
}

findings::Trace Recorder::trace_of(std::uintptr_t place) const {
  return place == 0 ? findings::Trace() : places_[static_cast<PlaceNumber>(place)].to_trace();
}

findings::Memory Recorder::memory_at(std::uintptr_t address, std::uint64_t bytes) const {
  if (const auto block = heap_.find(address)) {
    if (address + bytes <= block->begin + block->bytes) {
      return {block->begin, findings::HeapMemory{trace_of(block->allocated_at), block->bytes}};
    }
    return {};
  }
  if (auto local = local_at(address, this_stack().calls)) return {0, *std::move(local)};
  if (auto local = stacks_.local_at(address)) return {0, *std::move(local)};
  return {};
}

}  // namespace anyorder::binding
