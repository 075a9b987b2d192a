#include "binding/check/recorder.hpp"

#include <optional>
#include <utility>

#include "events/detector.hpp"
#include "events/instrumented_code.hpp"
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

findings::Trace Recorder::trace_of(std::uintptr_t site) {
  const auto place = static_cast<PlaceNumber>(events::place_of(site));
  if (place == 0) return {};
  const auto stack = static_cast<StackNumber>(site >> events::kPlaceBits);
  if (stack == 0) return places_[place].to_trace();
  if (stack == WholeStacks::kNotKept) {
    if (!std::exchange(noted_stacks_, true)) {
      writer_.note("The program has more call stacks than are kept: of some accesses only the " +
                   std::to_string(CallStack::kToldApart) + " innermost calls are shown.");
    }
    return places_[place].to_trace();
  }
  const auto [known, is_new] = whole_traces_.try_emplace(site);
  if (is_new) {
    std::vector<std::uintptr_t> pcs{places_[place].pcs[0]};
    for (const std::uintptr_t return_address : whole_stacks_->callers(stack)) {
      if (events::instrumented_code.contains(return_address - 1)) pcs.push_back(return_address - 1);
    }
    known->second = readable_trace(pcs);
  }
  return known->second;
}

findings::Memory Recorder::memory_at(std::uintptr_t address, std::uint64_t bytes) {
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
