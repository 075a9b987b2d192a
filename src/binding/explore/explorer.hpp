// Explores a closure in its own process: takes the events of the executor and of all front ends, drives the
// search with them, and says what came of it.
//
// Contract: there is one per process, never destroyed. It listens only while it explores, to the thread that
// called it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "binding/explore/arenas.hpp"
#include "events/listener.hpp"
#include "events/memory.hpp"
#include "events/quick.hpp"
#include "explore/search.hpp"
#include "runtime/controlled.hpp"
#include "runtime/exploration.hpp"

namespace anyorder::binding {

class ClosureExplorer final : public runtime::Explorer,
                              public runtime::Director,
                              public exploring::Program,
                              public events::Listener,
                              public events::MemoryListener {
 public:
  exploration explore(void (*function)(void*), void* f, const exploration_bounds& bounds,
                      const std::string& schedule, source_site site) override;

  // --- The hooks ----------------------------------------------------------------------------------------
  void access(events::Access kind, const void* address, std::size_t bytes, std::uintptr_t pc);
  // By a thread that runs no task that is observed.
  void unobserved_access() noexcept;
  void atomic_modified() { not_covered("the program changes atomic variables, whose values travel unseen"); }
  void module_started();

  // --- runtime::Director --------------------------------------------------------------------------------
  std::optional<std::size_t> next(std::span<const runtime::Standing> standing) override;

  // --- exploring::Program ---------------------------------------------------------------------------------
  void run(exploring::Guide& guide) override;
  [[nodiscard]] std::uint64_t load(exploring::Word word) const override;

  // --- events::Listener ---------------------------------------------------------------------------------
  void root_begun(events::Slot, events::Slot) override {}
  void root_ended(events::Slot, events::Slot) override {}
  void task_created(events::Slot parent, events::Slot child, events::Slot finish, events::TaskKind kind,
                    events::SourceSite at) override;
  void task_begun(events::Slot task) override;
  void task_ended(events::Slot task) override;
  void task_resumed(events::Slot task) override;
  void task_forgotten(events::Slot) override {}
  void finish_begun(events::Slot owner, events::Slot finish, events::SourceSite at) override;
  void finish_ended(events::Slot owner, events::Slot finish) override;
  void get_begun(events::Slot getter, events::Slot target, events::SourceSite at) override;
  void get_ended(events::Slot getter, events::Slot target, events::SourceSite at) override;
  void isolated_entered(events::Slot task, std::span<const void* const> objects,
                        events::SourceSite at) override;
  void isolated_left(events::Slot task, std::span<const void* const> objects) override;
  // Which task destroys what several have shared depends on the schedule, but on each of them it comes after
  // all that the others did with it: it is nothing to explore.
  void destruction_begun(const void* counter, events::Slot ended) override;
  void destruction_ended() override;
  void* task_memory(std::size_t bytes) override;
  bool task_memory_given_back(void* memory) noexcept override;
  void readiness_asked() override { not_covered("the program asks whether futures are ready"); }

  // --- events::MemoryListener ---------------------------------------------------------------------------
  void read(const void* begin, std::size_t bytes, std::uintptr_t pc) override;
  void write(const void* begin, std::size_t bytes, std::uintptr_t pc) override;
  void* place(std::size_t bytes, std::size_t alignment) override;
  void allocated(const void*, std::size_t, std::uintptr_t) override {}
  void freed(const void* begin, std::uintptr_t pc) override;
  void mapped(const void* begin, std::size_t bytes) override;
  void unmapped(const void* begin, std::size_t bytes, std::uintptr_t pc) override;
  void once_begun() override;
  void once_ended() override;
  void mutex_locked() override {
    not_covered("a task locks a mutex, and the search does not know what it protects");
  }
  void* handler_begun() override;
  void handler_ended(void* interrupted) override;
  void forked(bool) override {}
  void ending() override {}

 private:
  struct TaskSeen {
    events::SourceSite created_at;
    events::SourceSite waits_at;
  };
  struct SectionSeen {
    exploring::TaskNumber task;
    events::SourceSite at;
  };

  // Of a task that is observed; nothing: it is not.
  [[nodiscard]] std::optional<exploring::TaskNumber> number_in(void* slot) const;
  [[nodiscard]] bool observes() const { return guide_ != nullptr && !guide_->done(); }
  // What the thread runs once it is outside the tool.
  [[nodiscard]] void* to_run(void* slot) const { return observes() && ignoring_ == 0 ? slot : nullptr; }
  // What the running task does until the matching call is not observed. Nests.
  void begin_ignoring();
  void end_ignoring();
  void forget(const void* begin, const void* end);
  [[nodiscard]] bool is_shared_data(exploring::Word word);
  void not_covered(std::string_view why);
  // Guided, if there is a guide.
  void run_once();

  [[nodiscard]] exploration answer_to(const exploring::Result& result) const;
  [[nodiscard]] std::string name_of(exploring::TaskNumber task) const;

  std::unique_ptr<Arenas> arenas_;  // made when they are first needed
  std::unique_ptr<runtime::Controlled> executor_;
  bool instrumented_ = false;

  // While it explores.
  void (*function_)(void*) = nullptr;
  void* closure_ = nullptr;
  exploring::Guide* guide_ = nullptr;  // null between runs, and in the first
  std::vector<TaskSeen> tasks_;        // of this run, by number
  std::vector<SectionSeen> sections_;
  std::vector<std::string> not_covered_;
  std::atomic<bool> other_threads_{false};   // ran instrumented code meanwhile
  exploring::WordMap<std::uint8_t> shared_;  // by word: 1: it is shared data, 2: not
  std::uint64_t choices_ = 0;                // in this run, that nobody was interested in
  unsigned ignoring_ = 0;
  void* ignored_ = nullptr;  // the task whose doing it is
};

}  // namespace anyorder::binding
