// A program under the controlled executor: takes the events of the executor and of all front ends, and gives
// them to the guide of the run.
//
// Contract: there is one per process, never destroyed. It listens only while a Listening lives, to the thread
// that made that.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "binding/check/address_space.hpp"
#include "binding/check/known_stacks.hpp"
#include "binding/check/this_stack.hpp"
#include "binding/explore/arenas.hpp"
#include "events/listener.hpp"
#include "events/memory.hpp"
#include "events/quick.hpp"
#include "events/running_task.hpp"
#include "explore/guide.hpp"
#include "record/files.hpp"
#include "runtime/controlled.hpp"

namespace anyorder::binding {

class ObservedProgram final : public runtime::Director,
                              public exploring::Program,
                              public events::Listener,
                              public events::MemoryListener {
 public:
  struct TaskSeen {
    exploring::TaskNumber parent = 0;
    events::SourceSite created_at;
    events::SourceSite waits_at;
    bool waits_in_get = false;
  };
  struct SectionSeen {
    exploring::TaskNumber task;
    events::SourceSite at;
    std::optional<exploring::TaskNumber> chosen;  // no section, but a wait that was ended by that one
  };
  struct Block {
    std::uintptr_t begin;
    std::size_t bytes;
    std::uintptr_t allocated_at;  // a return address
  };

  // What is to be run, from now on; what was not covered is forgotten.
  void set_body(void (*function)(void*), void* closure);
  // Called once in a run, as soon as its guide is done; inside the tool, on any stack. May not return.
  void when_done(std::function<void()> then) { when_done_ = std::move(then); }
  // Called in a child process that the program has forked, which is not observed; inside the tool.
  void when_forked(std::function<void()> then) { when_forked_ = std::move(then); }
  // Counts what is observed; null: nothing is counted.
  void count_in(record::CounterSlot* counters) { counters_ = counters; }
  // Without a guide.
  void run_unobserved() { run_once(); }

  [[nodiscard]] bool instrumented() const { return instrumented_; }
  // Of the last run.
  [[nodiscard]] const std::vector<TaskSeen>& tasks() const { return tasks_; }
  [[nodiscard]] const std::vector<SectionSeen>& sections() const { return sections_; }
  // Of all since set_body.
  [[nodiscard]] std::vector<std::string> not_covered() const;
  // What the user should know besides.
  [[nodiscard]] std::vector<std::string> notes() const;
  // The block that a task has allocated and that the address is in.
  [[nodiscard]] std::optional<Block> block_at(std::uintptr_t address) const;
  // The local variable, if the address is on the stack of a task.
  [[nodiscard]] std::optional<findings::LocalMemory> local_at(std::uintptr_t address) const {
    return stacks_.local_at(address);
  }

  // --- The hooks ----------------------------------------------------------------------------------------
  void access(events::Access kind, const void* address, std::size_t bytes, std::uintptr_t pc);
  // By a thread that runs no task that is observed.
  void unobserved_access() noexcept;
  void atomic_modified() { not_covered("the program changes atomic variables, whose values travel unseen"); }
  // On a counter of references that the program keeps itself: it is about to take one from it; there is none
  // left.
  void reference_dropped_from(const void* counter);
  void counter_emptied(const void* counter);
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
  void posted(events::Slot task, const void* region) override;
  void choice_begun(events::Slot chooser, std::span<void* const> among, events::SourceSite at) override;
  void choice_made(events::Slot chooser, const void* region, std::size_t among,
                   events::SourceSite at) override;
  void failed(events::Slot task, bool in_body) override;
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
  void allocated(const void* begin, std::size_t bytes, std::uintptr_t pc) override;
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
  void forked(bool in_child) override;
  void ending() override;

 private:
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

  // The guide may be done since the last call.
  void look_whether_done();
  void look_at_exceptions();
  // The stack that the thread runs on from now.
  void find_stack();

  std::unique_ptr<Arenas> arenas_;  // made when they are first needed
  std::unique_ptr<runtime::Controlled> executor_;
  KnownStacks stacks_;
  bool instrumented_ = false;
  std::function<void()> when_done_;
  std::function<void()> when_forked_;
  bool has_forked_ = false;
  record::CounterSlot* counters_ = nullptr;

  void (*function_)(void*) = nullptr;
  void* closure_ = nullptr;
  exploring::Guide* guide_ = nullptr;  // null between runs, and in the first
  std::vector<TaskSeen> tasks_;        // of this run, by number
  std::vector<SectionSeen> sections_;
  std::map<std::uintptr_t, Block> blocks_;  // by their first byte
  std::vector<std::string> not_covered_;
  std::atomic<bool> other_threads_{false};  // ran instrumented code meanwhile
  ExemptMemory exempt_;
  exploring::WordMap<std::uint8_t> shared_;  // by word: 1: it is shared data, 2: not
  bool told_ = false;                        // when_done was
  std::uint64_t choices_ = 0;                // in this run, that nobody was interested in
  std::vector<std::pair<exploring::Word, exploring::Word>> free_stack_;  // words below what stands on stacks
  unsigned ignoring_ = 0;
  void* ignored_ = nullptr;  // the task whose doing it is
};

// While it lives, the program is heard, and the calling stack is the tool's.
class Listening {
 public:
  explicit Listening(ObservedProgram& program);
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  ~Listening();

 private:
  events::InsideTool inside_;
};

}  // namespace anyorder::binding
