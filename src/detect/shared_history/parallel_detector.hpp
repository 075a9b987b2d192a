// A detector that runs in parallel: events in, findings out, for any order of tasks and any rule for readers.
//
// Contract: as events::Listener; any thread may call for the task that it runs, several at once, and a task
// may go on on another thread. `state` of an access is the slot of the task that the thread runs. Races go to
// the findings when the later access is made, before the call returns.
//
// What is not inlined here is in parallel_findings.hpp: included where a detector instantiates it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "detect/shared_history/access_history.hpp"
#include "detect/shared_history/ids.hpp"
#include "detect/shared_history/order.hpp"
#include "detect/shared_history/references.hpp"
#include "detect/shared_history/shared_creations.hpp"
#include "detect/shared_history/shared_told_races.hpp"
#include "events/detector.hpp"
#include "findings/origin.hpp"
#include "findings/sink.hpp"
#include "findings/verdict.hpp"
#include "support/check.hpp"

namespace anyorder::detect::shared_history {

template <Order O, class ReaderRule>
class ParallelDetector : public events::Listener {
  using Task = typename O::Task;
  using Step = typename O::Step;

 public:
  using History = AccessHistory<O, ReaderRule>;
  using Thread = typename History::Thread;

  ParallelDetector(const ParallelDetector&) = delete;
  ParallelDetector& operator=(const ParallelDetector&) = delete;

  void root_begun(events::Slot root, events::Slot finish) override;
  void root_ended(events::Slot root, events::Slot finish) override;
  void task_created(events::Slot parent, events::Slot child, events::Slot finish, events::TaskKind kind,
                    events::SourceSite at) override;
  void task_begun(events::Slot /*task*/) override {}
  void task_ended(events::Slot task) override;
  void task_resumed(events::Slot /*task*/) override {}
  void task_forgotten(events::Slot task) override;
  void finish_begun(events::Slot owner, events::Slot finish, events::SourceSite at) override;
  void finish_ended(events::Slot owner, events::Slot finish) override;
  // Not accepted: what has such a construct is unknown. From the first future on no race is told, since
  // orders are missing that its gets make.
  void get_begun(events::Slot /*getter*/, events::Slot /*target*/, events::SourceSite /*at*/) override {}
  void get_ended(events::Slot /*getter*/, events::Slot /*target*/, events::SourceSite /*at*/) override {}
  void isolated_entered(events::Slot task, std::span<const void* const> objects,
                        events::SourceSite at) override;
  void isolated_left(events::Slot /*task*/, std::span<const void* const> /*objects*/) override {}

  // `site` is a number that the caller gave to the place in the code, from 1 on; those from kMostPlaces on
  // are not told apart.
  void read(void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    Thread& own = thread();
    const std::span<const Conflict> found =
        history_.read(O::task_in(state), address, bytes, to_place(site), own);
    if (!found.empty()) [[unlikely]]
      judge(found, O::task_in(state), findings::AccessKind::read, to_place(site), own);
  }
  void write(void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    Thread& own = thread();
    const std::span<const Conflict> found =
        history_.write(O::task_in(state), address, bytes, to_place(site), own);
    if (!found.empty()) [[unlikely]]
      judge(found, O::task_in(state), findings::AccessKind::write, to_place(site), own);
  }

  // Makes an access of 1, 2, 4, 8 or 16 bytes, if that is simple; takes no memory and calls nobody but
  // site_of meanwhile. False: not all was done, and read() or write() does it. site_of() is the site, or 0 if
  // that is not known yet.
  static constexpr std::uint32_t kMostPlaces = shared_history::kMostPlaces;
  template <unsigned kBytes, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline bool try_read(void* state, std::uintptr_t address,
                                                         SiteOf site_of) {
    return try_access<findings::AccessKind::read, kBytes>(state, address, site_of);
  }
  template <unsigned kBytes, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline bool try_write(void* state, std::uintptr_t address,
                                                          SiteOf site_of) {
    return try_access<findings::AccessKind::write, kBytes>(state, address, site_of);
  }

  // As events/detector.hpp says.
  [[nodiscard]] events::QuickSteps quick_steps() const noexcept {
    const auto [steps, shift, past] = order_.step_numbers();
    return {history_.quick_cells(), steps, shift, past, &History::Lock::locks(), history_.noted()};
  }
  [[nodiscard]] events::QuickKnown* quick_known() const noexcept {
    return is_attached() ? &t_attachment.own->access.quick : nullptr;
  }

  // The same for ranges, from the first byte on, as far as it is simple: how many bytes were made.
  template <class SiteOf>
  [[nodiscard]] std::size_t try_read_range(void* state, std::uintptr_t address, std::size_t bytes,
                                           SiteOf site_of) {
    return try_range<findings::AccessKind::read>(state, address, bytes, site_of);
  }
  template <class SiteOf>
  [[nodiscard]] std::size_t try_write_range(void* state, std::uintptr_t address, std::size_t bytes,
                                            SiteOf site_of) {
    return try_range<findings::AccessKind::write>(state, address, bytes, site_of);
  }

  void forget(std::uintptr_t address, std::size_t bytes) {
    told_.forget(address, bytes);
    references_.forget(address, bytes);
    history_.forget(address, bytes);
  }
  // Pages that the process got: as forget.
  void mapped(std::uintptr_t address, std::size_t bytes);
  // A large block of the heap that the program got; any thread.
  void expect(std::uintptr_t address, std::size_t bytes) noexcept { history_.expect(address, bytes); }
  // Pages that are gone.
  void unmapped(std::uintptr_t address, std::size_t bytes);

  // Reference counts, as detect/graph/graph.hpp has them.
  void release_reference(void* state, const void* counter);
  void begin_destruction(void* state, const void* counter, void* ended = nullptr);
  void end_destruction(void* state);
  void release_last_reference(void* state, const void* counter);
  void retire(void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site);

  // Before the verdict: also looks whether memory that came unseen shares cells with other memory.
  [[nodiscard]] findings::Coverage coverage();

  // For tests.
  [[nodiscard]] History& history() { return history_; }

 protected:
  // Throws what the shadow throws: no address space, or memory that would share cells. With `memory` only
  // that can be accessed, and nothing is asked about the process: for tests with addresses of their own.
  template <class... Arguments>
  ParallelDetector(const events::DetectorTraits& traits, findings::Sink& findings, Arguments&&... of_order)
      : name_(traits.name),
        findings_(findings),
        order_(std::forward<Arguments>(of_order)...),
        history_(order_) {}
  template <class... Arguments>
  ParallelDetector(const events::DetectorTraits& traits, findings::Sink& findings,
                   std::span<const shadow::AddressRange> memory, Arguments&&... of_order)
      : name_(traits.name),
        findings_(findings),
        order_(std::forward<Arguments>(of_order)...),
        history_(order_, memory),
        whole_process_(false) {}

  [[nodiscard]] O& order() { return order_; }
  [[nodiscard]] const O& order() const { return order_; }
  [[nodiscard]] std::size_t shadow_bytes() const { return history_.statistics().resident_bytes; }

 private:
  struct OwnThread {
    Thread access;
    SharedCreations::Recent creations;
  };
  // Of all detectors that a process has had, the one that the calling thread used last.
  struct Attachment {
    std::uint64_t detector;
    OwnThread* own;
  };

  static Task known_in(void* slot) {
    ANYORDER_CHECK(slot != nullptr, "an event names a task or a finish whose beginning was not heard");
    return O::task_in(slot);
  }
  static PlaceId to_place(std::uintptr_t site) noexcept {
    return site < kMostPlaces ? static_cast<PlaceId>(site) : kNoPlace;
  }

  [[nodiscard]] bool is_attached() const noexcept { return t_attachment.detector == number_; }
  [[nodiscard]] OwnThread& own_thread() {
    if (!is_attached()) [[unlikely]]
      attach();
    return *t_attachment.own;
  }
  [[nodiscard]] Thread& thread() { return own_thread().access; }
  [[gnu::noinline]] void attach();

  template <findings::AccessKind kKind, unsigned kBytes, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline bool try_access(void* state, std::uintptr_t address,
                                                           SiteOf& site_of) {
    if constexpr (kBytes > 8) {
      return try_access<kKind, kBytes / 2>(state, address, site_of) &&
             try_access<kKind, kBytes / 2>(state, address + kBytes / 2, site_of);
    } else {
      if (address % kBytes != 0 || !is_attached()) [[unlikely]]
        return false;
      const auto place_of = [&] { return to_place(site_of()); };
      return history_.template try_access<kKind>(O::task_in(state), address, kBytes, place_of,
                                                 t_attachment.own->access);
    }
  }

  template <findings::AccessKind kKind, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline std::size_t try_range(void* state, std::uintptr_t address,
                                                                 std::size_t bytes, SiteOf& site_of) {
    if (!is_attached()) [[unlikely]]
      return 0;
    const auto place_of = [&] { return to_place(site_of()); };
    return history_.template try_range<kKind>(O::task_in(state), address, bytes, place_of,
                                              t_attachment.own->access);
  }

  // Where the task is.
  [[nodiscard]] Step locate(Task task, Thread& own) {
    history_.locate(task, own);
    return order_.position_of(task);
  }
  [[nodiscard]] TaskNumber number_of(Task task, Thread& own) { return order_.number_of(task, own.stock); }

  void judge(std::span<const Conflict> conflicts, Task task, findings::AccessKind kind, PlaceId place,
             Thread& own);
  void report(const Conflict& earlier, TaskNumber task, findings::AccessKind kind, PlaceId place);
  [[nodiscard]] findings::OriginatedAccess describe(findings::AccessKind kind, TaskNumber task,
                                                    PlaceId place) const;
  void tell_unsupported(const char* construct, events::SourceSite at);
  void admit_process();

  static inline std::atomic<std::uint64_t> detectors{0};
  static inline constinit thread_local Attachment t_attachment{0, nullptr};

  const std::uint64_t number_ = detectors.fetch_add(1, std::memory_order_relaxed) + 1;
  const char* const name_;
  findings::Sink& findings_;
  O order_;
  History history_;
  const bool whole_process_ = true;
  SharedCreations creations_;
  SharedToldRaces told_;
  References<Step> references_;
  std::atomic<bool> orders_missing_{false};
  std::mutex threads_mutex_;
  std::vector<std::unique_ptr<OwnThread>> threads_;  // guarded by it; all that ever called
};

}  // namespace anyorder::detect::shared_history
