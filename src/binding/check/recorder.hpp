// Takes what the detector and the join policy find in a process, completes it by what was accessed and where,
// and records it.
//
// Contract: any thread. What is found when the record is closed is dropped.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "binding/check/heap_blocks.hpp"
#include "binding/check/known_stacks.hpp"
#include "binding/check/places.hpp"
#include "binding/check/whole_stacks.hpp"
#include "binding/joins/to_findings.hpp"
#include "findings/finding_set.hpp"
#include "findings/remedy.hpp"
#include "findings/sink.hpp"
#include "record/writer.hpp"
#include "runtime/expectations.hpp"

namespace anyorder::binding {

class Recorder final : public findings::Sink,
                       public deadlock::JoinListener,
                       public runtime::ExpectationListener {
 public:
  // Races at addresses that are exempt are none.
  Recorder(const std::string& folder, const char* detector, bool (*is_exempt)(std::uintptr_t address))
      : writer_(folder, detector), is_exempt_(is_exempt) {}

  [[nodiscard]] record::Writer& writer() noexcept { return writer_; }
  // What findings are completed by.
  [[nodiscard]] HeapBlocks& heap() noexcept { return heap_; }
  [[nodiscard]] KnownStacks& stacks() noexcept { return stacks_; }
  [[nodiscard]] Places& places() noexcept { return places_; }

  // From now on sites have a StackNumber in their upper half. The whole stacks are of the calling thread.
  [[nodiscard]] WholeStacks& keep_whole_stacks() { return whole_stacks_.emplace(); }

  // Called by the detector: the frames of accesses have sites.
  void add(const findings::Race& race) override;
  void add(const findings::Deadlock& deadlock) override;
  void add(const findings::Unsupported& unsupported) override;

  void deadlock_avoided(const deadlock::Cycle& cycle) override { add(to_finding(cycle)); }
  void unknown_join(const deadlock::UnknownJoin& join) override;
  void race_expected(const void* object, std::size_t bytes, const char* why, events::SourceSite at) override;

  // Races are no longer recorded: the detector does not hear any more what orders accesses.
  void drop_races() noexcept { drops_races_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_closed() const noexcept { return closed_.load(std::memory_order_relaxed); }
  void close() noexcept { closed_.store(true); }
  // What would order accesses that race; places as in races.
  void add_remedies(std::vector<findings::Remedy> remedies);
  // How the run ended, for all that was found so far.
  void end(record::Ending how, findings::Coverage coverage,
           const std::vector<std::pair<std::string, double>>& statistics);

 private:
  [[nodiscard]] findings::Trace trace_of(std::uintptr_t site);
  [[nodiscard]] findings::Memory memory_at(std::uintptr_t address, std::uint64_t bytes);

  record::Writer writer_;
  bool (*is_exempt_)(std::uintptr_t address);
  findings::FindingSet found_;
  HeapBlocks heap_;
  KnownStacks stacks_;
  Places places_;
  // By the thread whose stacks they are.
  std::optional<WholeStacks> whole_stacks_;
  std::unordered_map<std::uintptr_t, findings::Trace> whole_traces_;  // by site
  bool noted_stacks_ = false;
  std::atomic<bool> drops_races_{false};
  std::atomic<bool> closed_{false};
};

}  // namespace anyorder::binding
