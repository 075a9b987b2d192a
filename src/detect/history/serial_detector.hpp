// A detector that learns from one serial depth-first run: events in, findings out, for any Order of tasks.
// What differs between such detectors is how they know the order, and which readers they have to keep.
//
// Contract: as events::Listener, in serial depth-first order and by one thread, which is the one that makes
// the detector's root begin; forget, mapped and unmapped also by others. `state` of an access is the slot of
// the task that runs. Races go to the findings when the later access is made.
//
// serial_findings.hpp has what is not on the way of every access or task; one file of each detector
// instantiates it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "detect/history/access_history.hpp"
#include "detect/history/creations.hpp"
#include "detect/history/foreign_ranges.hpp"
#include "detect/history/ids.hpp"
#include "detect/history/low_water.hpp"
#include "detect/history/order.hpp"
#include "detect/history/reference_drops.hpp"
#include "detect/history/told_races.hpp"
#include "events/detector.hpp"
#include "findings/origin.hpp"
#include "findings/sink.hpp"
#include "findings/verdict.hpp"
#include "support/check.hpp"

namespace anyorder::detect::history {

template <Order O, class Readers>
class SerialDetector : public events::Listener {
 public:
  SerialDetector(const SerialDetector&) = delete;
  SerialDetector& operator=(const SerialDetector&) = delete;

  void root_begun(events::Slot root, events::Slot finish) override;
  void root_ended(events::Slot root, events::Slot finish) override;
  void task_created(events::Slot parent, events::Slot child, events::Slot finish, events::TaskKind kind,
                    events::SourceSite at) override {
    const TaskId created = order_.create(known_task_in(parent), kind, creations_.id_of(at));
    std::vector<Run>& joins = finish_in(finish).joins;
    if (!joins.empty() && joins.back().end == created) [[likely]] {
      ++joins.back().end;
    } else {
      begin_run(joins, created);
    }
    child = to_slot(created);
    history_.task_began(over_);
  }
  void task_begun(events::Slot /*task*/) override {}
  void task_ended(events::Slot task) override { end_task(known_task_in(task)); }
  void task_resumed(events::Slot /*task*/) override {}
  void task_forgotten(events::Slot /*task*/) override {}
  void finish_begun(events::Slot owner, events::Slot finish, events::SourceSite at) override;
  void finish_ended(events::Slot owner, events::Slot finish) override;
  void get_begun(events::Slot /*getter*/, events::Slot /*target*/, events::SourceSite /*at*/) override {}
  void get_ended(events::Slot /*getter*/, events::Slot /*target*/, events::SourceSite /*at*/) override {}
  // Not accepted: what has such a section is unknown.
  void isolated_entered(events::Slot task, std::span<const void* const> objects,
                        events::SourceSite at) override;
  void isolated_left(events::Slot /*task*/, std::span<const void* const> /*objects*/) override {}

  // `site` is a number that the caller gave to the place in the code, from 1 on and below kMostPlaces; or one
  // of site_of_word(), for whole words; or 0, a place that is not told apart from others.
  void read(void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    prepare(address);
    const TaskId task = task_in(state);
    const std::span<const Conflict> conflicts = history_.read(task, address, bytes, to_site(site));
    if (!conflicts.empty()) [[unlikely]]
      judge(conflicts, findings::AccessKind::read, task);
  }
  void write(void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    prepare(address);
    const TaskId task = task_in(state);
    const std::span<const Conflict> conflicts = history_.write(task, address, bytes, to_site(site));
    if (!conflicts.empty()) [[unlikely]]
      judge(conflicts, findings::AccessKind::write, task);
  }

  // Whether the last of these found any.
  [[nodiscard]] bool found_races() const noexcept { return history_.found_races(); }

  // As events/detector.hpp says.
  static constexpr std::uint32_t kMostPlaces = kMostPlainSites;
  [[nodiscard]] char* quick_cells() noexcept { return history_.quick_cells(); }
  void close_line(std::uintptr_t address) noexcept { history_.close_line(address); }
  [[nodiscard]] std::uint64_t epoch() const noexcept { return order_.epoch(); }
  void note_log_at(std::uintptr_t address) { history_.note_log_at(address); }
  [[nodiscard]] std::uint32_t site_of_word(const std::array<std::uint32_t, 8>& sites) {
    return history_.site_of_word(sites);
  }
  [[nodiscard]] std::uint64_t readers_seen() const noexcept { return history_.readers().seen; }
  template <std::size_t kBytes, class SiteOf>
  bool try_read(void* state, std::uintptr_t address, SiteOf site_of) {
    if constexpr (kBytes == 16) {
      return try_read<8>(state, address, site_of) && try_read<8>(state, address + 8, site_of);
    }
    if (!is_aligned<kBytes>(address) || foreign_.waiting()) return false;
    stack_.note(address);
    if constexpr (kBytes == Memory::kLineBytes) {
      return history_.try_read_line(task_in(state), address, [&] { return to_site(site_of()); });
    }
    return history_.try_read(task_in(state), address, kBytes, [&] { return to_site(site_of()); });
  }
  template <std::size_t kBytes, class SiteOf>
  bool try_write(void* state, std::uintptr_t address, SiteOf site_of) {
    if constexpr (kBytes == 16) {
      return try_write<8>(state, address, site_of) && try_write<8>(state, address + 8, site_of);
    }
    if (!is_aligned<kBytes>(address) || foreign_.waiting()) return false;
    stack_.note(address);
    if constexpr (kBytes == Memory::kLineBytes) {
      return history_.try_write_line(task_in(state), address, [&] { return to_site(site_of()); });
    }
    return history_.try_write(task_in(state), address, kBytes, [&] { return to_site(site_of()); });
  }
  // Likewise, for any bytes of one word.
  template <class SiteOf>
  bool try_read_part(void* state, std::uintptr_t address, unsigned bytes, SiteOf site_of) {
    if (foreign_.waiting()) return false;
    stack_.note(address);
    return history_.try_read(task_in(state), address, bytes, [&] { return to_site(site_of()); });
  }
  template <class SiteOf>
  bool try_write_part(void* state, std::uintptr_t address, unsigned bytes, SiteOf site_of) {
    if (foreign_.waiting()) return false;
    stack_.note(address);
    return history_.try_write(task_in(state), address, bytes, [&] { return to_site(site_of()); });
  }
  void forget(std::uintptr_t address, std::size_t bytes) {
    if (t_own != this) [[unlikely]] {
      foreign_.add({address, bytes});
      return;
    }
    forget_own(address, bytes);
  }
  // Pages that the process got: as forget.
  void mapped(std::uintptr_t address, std::size_t bytes);
  // A large block of the heap that the program got; any thread.
  void expect(std::uintptr_t address, std::size_t bytes) noexcept { history_.expect(address, bytes); }
  // Pages that are gone.
  void unmapped(std::uintptr_t address, std::size_t bytes);

  // Reference counts, as detect/graph/graph.hpp has them, to the precision of tasks: what a task did that
  // dropped a reference, or that preceded the drop, does not race with the destruction; of the one that
  // dropped and of those around it also what they did later.
  void release_reference(void* state, const void* counter);
  void begin_destruction(void* state, const void* counter, void* ended = nullptr);
  void end_destruction(void* state);
  void release_last_reference(void* state, const void* counter);
  void retire(void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site);

  // As in Access::task.
  [[nodiscard]] static std::uint64_t number_of(void* state) { return task_in(state); }

  // Before the verdict: also looks whether memory that came unseen shares cells with other memory.
  [[nodiscard]] findings::Coverage coverage();

  // For tests: what is kept.
  [[nodiscard]] AccessHistory<O, Readers>& history() { return history_; }
  [[nodiscard]] const AccessHistory<O, Readers>& history() const { return history_; }

 protected:
  // Throws what shadow::Shadow throws: no address space, or memory that would share cells.
  SerialDetector(const events::DetectorTraits& traits, findings::Sink& findings)
      : name_(traits.name), findings_(findings) {}
  ~SerialDetector() override = default;

  static TaskId known_task_in(const void* slot) {
    ANYORDER_CHECK(slot != nullptr, "an event names a task whose beginning was not heard");
    return task_in(slot);
  }
  // After a task operation.
  void forget_relations() noexcept { Relations<O>::forget(over_); }
  // After tasks have been waited for: those that are over.
  void note_over(TaskId all_below) noexcept { over_ = std::max(over_, all_below); }
  [[nodiscard]] TaskId over() const noexcept { return over_; }
  // The run's verdict is unknown.
  void tell_not_accepted(const char* construct, events::SourceSite at);
  [[nodiscard]] O& order() noexcept { return order_; }
  [[nodiscard]] const O& order() const noexcept { return order_; }
  // How many other tasks an access found as readers; `readers` by `accesses` that did not come here.
  [[nodiscard]] double average_readers(std::uint64_t accesses, std::uint64_t readers) const {
    const std::uint64_t seen = history_.readers().seen + readers;
    return accesses == 0 ? 0.0 : static_cast<double>(seen) / static_cast<double>(accesses);
  }

 private:
  // Tasks [begin, end).
  struct Run {
    TaskId begin;
    TaskId end;
  };
  struct OpenFinish {
    // The tasks whose IEF it is. Between two runs lie the tasks of an inner finish, at least one: so a run's
    // 8 bytes are no more than 4 for each task.
    std::vector<Run> joins;
  };
  struct Made {
    findings::AccessKind kind;
    TaskId task;
    SiteId site;
  };
  struct Pending {
    Conflict earlier;
    Made later;
  };
  using Drops = typename ReferenceDrops<typename O::Moment>::Drops;
  // A destruction that a task makes now, and the drops of references of what it destroys.
  struct Destruction {
    TaskId task;
    Drops drops;
    TaskId ended;  // a task that had one of the references until its end; kNoTask: none had
  };
  // A counter that a task found to be at its end: what it counted is being destroyed, until it was freed and
  // the task turns to another counter.
  struct EndedCounter {
    std::uintptr_t address;
    Drops drops;
    bool freed = false;
  };
  // Of a task that runs: these; and the races that are none if it frees their memory.
  struct LastReferences {
    TaskId task;
    std::vector<EndedCounter> counters{};
    std::vector<Pending> pending{};
  };

  // A slot has the task's number plus 1.
  static TaskId task_in(const void* slot) noexcept {
    return static_cast<TaskId>(reinterpret_cast<std::uintptr_t>(slot) - 1);
  }
  static void* to_slot(TaskId task) noexcept { return reinterpret_cast<void*>(std::uintptr_t{task} + 1); }
  static SiteId to_site(std::uintptr_t site) noexcept { return static_cast<SiteId>(site); }
  template <std::size_t kBytes>
  static bool is_aligned(std::uintptr_t address) noexcept {
    return address % kBytes == 0;
  }
  static OpenFinish& finish_in(void* slot) {
    ANYORDER_CHECK(slot != nullptr, "an event names a finish whose beginning was not heard");
    return *static_cast<OpenFinish*>(slot);
  }
  [[nodiscard]] void* open_finish();
  static void begin_run(std::vector<Run>& joins, TaskId created);

  void prepare(std::uintptr_t address) {
    stack_.note(address);
    if (foreign_.waiting()) [[unlikely]]
      forget_foreign();
  }
  void forget_foreign();
  void forget_own(std::uintptr_t address, std::size_t bytes) {
    drops_.forget(address, bytes);
    told_.forget(address, bytes);
    const std::size_t clean = stack_.give_up(address, bytes);
    history_.forget(address + clean, bytes - clean);
  }
  void end_task(TaskId task) {
    if (!last_references_.empty() || !destructions_.empty()) [[unlikely]]
      end_destructions(task);
    order_.end(task);
    forget_relations();
    history_.collect_if_due();
  }
  void end_destructions(TaskId task);
  // After these have become more or fewer.
  void note_destructions() noexcept {
    history_.tell_all_readers(!destructions_.empty() || !last_references_.empty());
  }

  LastReferences& last_references_of(TaskId task);
  static void end_destructions_of(LastReferences& last);
  // Null: it found no counter at its end.
  [[nodiscard]] LastReferences* known_last_references_of(TaskId task);
  void judge(std::span<const Conflict> conflicts, findings::AccessKind kind, TaskId task);
  [[nodiscard]] bool covered_by(Drops& drops, TaskId earlier);
  [[nodiscard]] bool covered_by_destructions_of(TaskId task, TaskId earlier);
  void report(const Conflict& earlier, const Made& later);
  [[nodiscard]] findings::OriginatedAccess describe(const Made& access) const;
  void admit_process();

  const char* name_;
  findings::Sink& findings_;
  O order_;
  AccessHistory<O, Readers> history_{order_};
  TaskId over_ = 0;  // all tasks below precede all that is still to come
  LowWater stack_;
  ForeignRanges foreign_;
  Creations creations_;
  std::vector<std::unique_ptr<OpenFinish>> finishes_;  // those that are open nest; slots point to them
  ToldRaces told_;
  ReferenceDrops<typename O::Moment> drops_;
  // Tasks nest, so these are stacks: what belongs to the task that runs is on top.
  std::vector<Destruction> destructions_;
  std::vector<LastReferences> last_references_;
  static inline constinit thread_local const SerialDetector* t_own = nullptr;
};

}  // namespace anyorder::detect::history
