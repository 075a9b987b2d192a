// One checked process: takes the events of all front ends and of the executor, drives a detector with them,
// and records what it finds.
//
// Contract: there is one per process, made before the program's first constructor and never destroyed. The
// hooks call the static members of Receiver (variant.inc); the executor calls the Listener, the C library's
// front end the MemoryListener, the detector the Sink.
//
// What is checked: the main thread from its first task operation on, and all tasks that descend from it. What
// the main thread does before precedes every task. Other threads are not checked, and the verdict says so.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "binding/check/address_space.hpp"
#include "binding/check/call_stack.hpp"
#include "binding/check/heap_blocks.hpp"
#include "binding/check/places.hpp"
#include "events/detector.hpp"
#include "events/guards.hpp"
#include "events/instrumented_code.hpp"
#include "events/memory.hpp"
#include "events/quick_learning.hpp"
#include "events/running_task.hpp"
#include "findings/finding_set.hpp"
#include "record/writer.hpp"

namespace anyorder::binding {

inline constinit thread_local CallStack t_calls;
inline constinit thread_local record::CounterSlot* t_counters = nullptr;

template <events::Detector D>
class Session final : public events::Listener, public events::MemoryListener, public findings::Sink {
 public:
  // `graph`: where the detector's graph goes at the end; empty: nowhere.
  Session(const std::string& folder, std::string graph)
      : writer_(folder, D::kTraits.name), graph_path_(std::move(graph)), detector_(*this) {
    t_main_thread = true;
    anyorder_quick_watch_1 = true;
    if constexpr (events::QuickDetector<D>) anyorder_quick_cells_1 = detector_.quick_cells();
  }

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() override { delete main_root_; }

  [[nodiscard]] bool usable() const { return writer_.usable(); }

  // --- The hooks ----------------------------------------------------------------------------------------

  // Which one cannot be told from the caller: constructors may jump to the hook instead of calling it.
  void module_started() {
    const events::InsideTool inside;
    if (!instrumented_.exchange(true)) writer_.instrumented();
    for (const AddressRange& module : modules_that_import("__tsan_init")) {
      if (events::instrumented_code.contains(module.begin)) continue;
      events::instrumented_code.add(module.begin, module.end - module.begin);
    }
  }

  // An access of an instruction; the task runs.
  template <std::size_t kBytes>
  [[gnu::always_inline]] void checked_read(void* task, const void* begin, std::uintptr_t pc) {
    if constexpr (events::QuickDetector<D>) {
      const auto address = reinterpret_cast<std::uintptr_t>(begin);
      char* const cells = detector_.quick_cells();
      if (events::is_known_read<kBytes>(cells, events::quick_tag_in(task), address) ||
          events::repeat_quick_read<kBytes>(anyorder_quick_thread_1, cells, address, pc)) [[likely]] {
        record::count_read(*t_counters, pc);
        return;
      }
    }
    read_news<kBytes>(task, begin, pc);
  }
  template <std::size_t kBytes>
  [[gnu::always_inline]] void checked_write(void* task, const void* begin, std::uintptr_t pc) {
    if constexpr (events::QuickDetector<D>) {
      const auto address = reinterpret_cast<std::uintptr_t>(begin);
      char* const cells = detector_.quick_cells();
      if (events::is_known_write<kBytes>(cells, events::quick_tag_in(task), address) ||
          events::repeat_quick_write<kBytes>(anyorder_quick_thread_1, cells, address, pc)) [[likely]] {
        record::count_write(*t_counters, pc);
        return;
      }
    }
    write_news<kBytes>(task, begin, pc);
  }
  // The same, if it is not known.
  template <std::size_t kBytes>
  void read_news(void* task, const void* begin, std::uintptr_t pc) {
    if constexpr (events::QuickDetector<D>) {
      record::count_read(*t_counters, pc);
      const auto address = reinterpret_cast<std::uintptr_t>(begin);
      const events::QuickLearning learning(detector_.quick_cells(), address, kBytes);
      const std::uint64_t calls = context();
      const auto site_of = [&] { return places_.known(pc - 1, calls); };
      if (detector_.template try_read<kBytes>(task, address, site_of)) [[likely]] {
        if (anyorder_quick_thread_1.context != 0) {
          learning.read(pc, calls, [&] { return quick_place_at(pc, calls); });
        }
      } else {
        read_at_length(task, address, kBytes, pc);
      }
    } else {
      checked_read(task, begin, kBytes, pc);
    }
  }
  template <std::size_t kBytes>
  void write_news(void* task, const void* begin, std::uintptr_t pc) {
    if constexpr (events::QuickDetector<D>) {
      record::count_write(*t_counters, pc);
      const auto address = reinterpret_cast<std::uintptr_t>(begin);
      const events::QuickLearning learning(detector_.quick_cells(), address, kBytes);
      const std::uint64_t calls = context();
      const auto site_of = [&] { return places_.known(pc - 1, calls); };
      if (detector_.template try_write<kBytes>(task, address, site_of)) [[likely]] {
        if (anyorder_quick_thread_1.context != 0) {
          learning.write(pc, calls, [&] { return quick_place_at(pc, calls); });
        }
      } else {
        write_at_length(task, address, kBytes, pc);
      }
    } else {
      checked_write(task, begin, kBytes, pc);
    }
  }
  // Of any length.
  void checked_read(void* task, const void* begin, std::size_t bytes, std::uintptr_t pc) {
    const events::InsideTool inside;
    record::count_read(*t_counters, pc);
    detector_.read(task, reinterpret_cast<std::uintptr_t>(begin), bytes, site_at(pc));
  }
  void checked_write(void* task, const void* begin, std::size_t bytes, std::uintptr_t pc) {
    const events::InsideTool inside;
    record::count_write(*t_counters, pc);
    detector_.write(task, reinterpret_cast<std::uintptr_t>(begin), bytes, site_at(pc));
  }
  // An access where no task is known to run.
  void unchecked_access(std::uintptr_t pc) {
    if (events::inside_tool || t_main_thread || t_known_unchecked || over_.load(std::memory_order_relaxed)) {
      return;
    }
    t_known_unchecked = true;
    const events::InsideTool inside;
    add(findings::Unsupported{
        "thread",
        "The program runs instrumented code on a thread of its own. Only the main thread "
        "and its tasks are checked: make the thread's work a task (ao::async).",
        findings::Trace({findings::Frame{place_at(pc), {}}})});
  }

  void atomic_made() {
    if (events::running_task() == nullptr) return;
    record::count(counters().atomics);
  }

  // --- events::Listener ---------------------------------------------------------------------------------

  void root_begun(events::Slot root, events::Slot finish) override {
    events::InsideTool inside;
    if (!t_main_thread) {
      record({"thread",
              "A thread of the program's own creates tasks. Only the main thread and its "
              "tasks are checked: make the thread's work a task (ao::async).",
              {}});
      return;
    }
    if (main_root_ != nullptr) {
      add(findings::Unsupported{"task after main",
                                "Tasks that are created after main has returned, by destructors of static "
                                "objects, are not checked.",
                                {}});
      return;
    }
    TaskState* const state = take_state();
    root = main_root_ = state;
    detector_.root_begun(state->detector, finish);
    run(inside, state);
  }
  void root_ended(events::Slot root, events::Slot finish) override {
    events::InsideTool inside;
    TaskState* const state = state_of(root);
    if (state == nullptr) return;
    detector_.root_ended(state->detector, finish);
    run(inside, nullptr);
    end(record::Ending::complete);
  }

  void task_created(events::Slot parent, events::Slot child, events::Slot finish, events::TaskKind kind,
                    events::SourceSite at) override {
    const events::InsideTool inside;
    record::count(kind == events::TaskKind::future ? counters().futures : counters().asyncs);
    TaskState* const creator = state_of(parent);
    if (creator == nullptr || !accepts(construct_of(kind), at)) return;
    void* created = nullptr;
    detector_.task_created(creator->detector, created, finish, kind, at);
    child = at_rest(created);
  }
  void task_begun(events::Slot task) override {
    events::InsideTool inside;
    TaskState* state = nullptr;
    if (task != nullptr) {
      state = take_state();
      state->detector = word_at_rest(task);
      task = state;
      // The caller's stack pointer: all that the task will have on this stack lies below.
      state->stack_top = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + 2 * sizeof(void*);
      state->calls = t_calls.depth();
      detector_.task_begun(state->detector);
    }
    run(inside, state);
  }
  void task_ended(events::Slot task) override {
    events::InsideTool inside;
    if (TaskState* const state = state_of(task)) {
      detector_.task_ended(state->detector);
      if (is_on(events::Guard::stack)) {
        const std::uintptr_t bottom = bottom_of_stack();
        detector_.forget(bottom, state->stack_top - bottom);
      }
      t_calls.cut(state->calls);
      task = at_rest(state->detector);
      give_back(state);
    }
    run(inside, nullptr);
  }
  void task_resumed(events::Slot task) override {
    events::InsideTool inside;
    TaskState* const state = state_of(task);
    if (state != nullptr) detector_.task_resumed(state->detector);
    run(inside, state);
  }
  void task_forgotten(events::Slot task) override {
    if (task == nullptr) return;
    const events::InsideTool inside;
    void* forgotten = word_at_rest(task);
    detector_.task_forgotten(forgotten);
    task = nullptr;
  }

  void finish_begun(events::Slot owner, events::Slot finish, events::SourceSite at) override {
    const events::InsideTool inside;
    record::count(counters().finishes);
    TaskState* const state = state_of(owner);
    if (state == nullptr) return;
    ++state->open_finishes;
    detector_.finish_begun(state->detector, finish, at);
  }
  void finish_ended(events::Slot owner, events::Slot finish) override {
    const events::InsideTool inside;
    TaskState* const state = state_of(owner);
    if (state == nullptr || finish == nullptr) return;
    --state->open_finishes;
    detector_.finish_ended(state->detector, finish);
  }

  void get_begun(events::Slot getter, events::Slot target, events::SourceSite at) override {
    const events::InsideTool inside;
    record::count(counters().gets);
    TaskState* const state = state_of(getter);
    if (state == nullptr || target == nullptr) return;
    on_detector_slot(target, [&](events::Slot future) { detector_.get_begun(state->detector, future, at); });
  }
  void get_ended(events::Slot getter, events::Slot target, events::SourceSite at) override {
    const events::InsideTool inside;
    TaskState* const state = state_of(getter);
    if (state == nullptr || target == nullptr) return;
    on_detector_slot(target, [&](events::Slot future) { detector_.get_ended(state->detector, future, at); });
  }

  void isolated_entered(events::Slot task, std::span<const void* const> objects,
                        events::SourceSite at) override {
    const events::InsideTool inside;
    record::count(counters().isolated);
    TaskState* const state = state_of(task);
    if (state == nullptr || !accepts(events::Construct::isolated, at)) return;
    detector_.isolated_entered(state->detector, objects, at);
  }
  void isolated_left(events::Slot task, std::span<const void* const> objects) override {
    const events::InsideTool inside;
    TaskState* const state = state_of(task);
    if (state != nullptr) detector_.isolated_left(state->detector, objects);
  }

  void memory_reused(const void* begin, std::size_t bytes) override {
    const events::InsideTool inside;
    if (!is_on(events::Guard::task_memory)) return;
    detector_.forget(reinterpret_cast<std::uintptr_t>(begin), bytes);
  }
  void reference_dropped(const void* counter) override {
    if (events::running_task() == nullptr || !is_on(events::Guard::references)) return;
    const events::InsideTool inside;
    if constexpr (kKnowsReferences) detector_.release_reference(inside.running(), counter);
  }
  void destruction_begun(const void* counter, events::Slot ended) override {
    if (events::running_task() == nullptr || !is_on(events::Guard::references)) return;
    const events::InsideTool inside;
    void* const task = ended == nullptr ? nullptr : word_at_rest(ended);
    if constexpr (kKnowsReferences) detector_.begin_destruction(inside.running(), counter, task);
  }
  void destruction_ended() override {
    if (events::running_task() == nullptr || !is_on(events::Guard::references)) return;
    const events::InsideTool inside;
    if constexpr (kKnowsReferences) detector_.end_destruction(inside.running());
  }
  // As destruction_begun, of a counter that the program keeps itself.
  void counter_emptied(const void* counter) {
    if (events::running_task() == nullptr || !is_on(events::Guard::references)) return;
    const events::InsideTool inside;
    if constexpr (kKnowsReferences) detector_.release_last_reference(inside.running(), counter);
  }

  // --- events::MemoryListener ---------------------------------------------------------------------------

  void read(const void* begin, std::size_t bytes, std::uintptr_t pc) override {
    if (is_on(events::Guard::c_library)) checked_read(events::running_task(), begin, bytes, pc);
  }
  void write(const void* begin, std::size_t bytes, std::uintptr_t pc) override {
    if (is_on(events::Guard::c_library)) checked_write(events::running_task(), begin, bytes, pc);
  }
  void allocated(const void* begin, std::size_t bytes, std::uintptr_t pc) override {
    const events::InsideTool inside;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    heap_.add(address, bytes, place_at(pc));
    if (main_root_ != nullptr && is_on(events::Guard::heap)) detector_.forget(address, bytes);
  }
  void freed(const void* begin, std::uintptr_t pc) override {
    const events::InsideTool inside;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::optional<std::size_t> bytes = heap_.take(address);
    if (!bytes || inside.running() == nullptr || !events::instrumented_code.contains(pc)) return;
    if (!is_on(events::Guard::free)) return;
    retire(inside.running(), address, *bytes, pc);
  }
  void mapped(const void* begin, std::size_t bytes) override {
    const events::InsideTool inside;
    if (main_root_ == nullptr) return;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    if constexpr (kKnowsPages) {
      detector_.mapped(address, bytes);
    } else {
      detector_.forget(address, bytes);
    }
  }
  void unmapped(const void* begin, std::size_t bytes, std::uintptr_t pc) override {
    const events::InsideTool inside;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    if (inside.running() != nullptr && events::instrumented_code.contains(pc) && bytes != 0) {
      retire(inside.running(), address, bytes, pc);
    }
    if (main_root_ == nullptr) return;
    if constexpr (kKnowsPages) {
      detector_.unmapped(address, bytes);
    } else {
      detector_.forget(address, bytes);
    }
  }

  void once_begun() override {
    if (!is_on(events::Guard::once)) return;
    ++t_once;
    events::running_task() = nullptr;
  }
  void once_ended() override {
    if (t_once > 0 && --t_once == 0) events::running_task() = task_to_check();
  }

  void* handler_begun() override {
    void* const interrupted = events::running_task();
    if (is_on(events::Guard::signals)) events::running_task() = nullptr;
    return interrupted;
  }
  void handler_ended(void* interrupted) override { events::running_task() = interrupted; }

  void mutex_locked() override {
    if (events::running_task() == nullptr || t_mutex_noted) return;
    t_mutex_noted = true;
    const events::InsideTool inside;
    writer_.note(
        "The program locks a mutex in a task. The check does not know what mutexes protect, and reports it "
        "like all "
        "else: use ao::isolated, which it knows.");
  }

  void forked(bool in_child) override {
    const events::InsideTool inside;
    if (in_child) {
      over_.store(true);
      run_nothing();
    } else {
      writer_.note("A child process that the program forked is not checked.");
    }
  }

  void ending() override {
    events::InsideTool inside;
    if (over_.load()) return;
    const bool outermost =
        main_root_ == nullptr || (t_running == main_root_ && main_root_->open_finishes == 0);
    end(outermost ? record::Ending::complete : record::Ending::inside_task);
    over_.store(true);
    inside.set_running(nullptr);
  }

  // The program has returned from main, or called exit, and everything else has been done.
  void process_ends() {
    const events::InsideTool inside;
    if (!over_.load() && main_root_ == nullptr) end(record::Ending::complete);
  }

  // --- findings::Sink: called by the detector -----------------------------------------------------------

  void add(const findings::Race& race) override {
    const events::InsideTool inside;
    if (over_.load(std::memory_order_relaxed)) return;
    if (is_on(events::Guard::thread_local_data) && is_thread_local(race.address)) return;
    if (is_on(events::Guard::cxx_library) && is_of_cxx_library(race.address)) return;
    findings::Race complete = race;
    complete.memory = memory_at(race.address, race.size);
    for (findings::Access* access : {&complete.first, &complete.second}) {
      access->stack = trace_of(access->stack.innermost().pc);
    }
    if (found_.insert(complete)) writer_.add(complete);
  }
  void add(const findings::Deadlock& deadlock) override {
    const events::InsideTool inside;
    found_.add(deadlock);
    writer_.add(deadlock);
  }
  void add(const findings::Unsupported& unsupported) override {
    const events::InsideTool inside;
    findings::Unsupported complete = unsupported;
    if (const findings::Frame& where = unsupported.where.innermost(); where.pc != 0) {
      complete.where = trace_of(where.pc);
    }
    record(complete);
  }

 private:
  static constexpr bool kKnowsReferences = requires(D & detector, void* state) {
    detector.release_reference(state, nullptr);
    detector.begin_destruction(state, nullptr, state);
    detector.end_destruction(state);
    detector.release_last_reference(state, nullptr);
    detector.retire(state, 0, 0, 0);
  };

  // The detector keeps something for each page, and wants to know of pages that come and go.
  static constexpr bool kKnowsPages = requires(D & detector) {
    detector.mapped(0, 0);
    detector.unmapped(0, 0);
  };

  // What is kept of a task from its beginning to its end.
  struct TaskState {
    void* detector = nullptr;      // the detector's slot
    std::uintptr_t stack_top = 0;  // its part of the stack lies below
    std::size_t calls = 0;         // depth of the call stack when it began
    std::uint32_t open_finishes = 0;
    TaskState* next = nullptr;  // of those that no task has
  };

  // The slot of a task points to its state while that runs. Before and after, when there may be millions of
  // tasks, it holds what the detector keeps for it, marked by a bit that neither a pointer nor a number has.
  // Null: the task is not checked.
  static constexpr std::uintptr_t kAtRest = std::uintptr_t{1} << 63U;
  static bool is_at_rest(const void* slot) { return (reinterpret_cast<std::uintptr_t>(slot) & kAtRest) != 0; }
  static void* at_rest(void* word) {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(word) | kAtRest);
  }
  static void* word_at_rest(void* slot) {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(slot) & ~kAtRest);
  }
  // Of a task that runs.
  static TaskState* state_of(void* slot) { return static_cast<TaskState*>(slot); }
  // Calls f with the detector's slot of any task that is checked.
  template <class F>
  static void on_detector_slot(events::Slot task, F f) {
    if (!is_at_rest(task)) {
      f(state_of(task)->detector);
      return;
    }
    void* word = word_at_rest(task);
    f(word);
    task = at_rest(word);
  }

  // Tasks end where they began or on another thread: a state may come back to another one than it is from.
  static TaskState* take_state() {
    TaskState* const state = t_states;
    if (state == nullptr) return new TaskState;
    t_states = state->next;
    return state;
  }
  static void give_back(TaskState* state) {
    *state = {};
    state->next = std::exchange(t_states, state);
  }

  static events::Construct construct_of(events::TaskKind kind) {
    return kind == events::TaskKind::future ? events::Construct::futures : events::Construct::async_finish;
  }
  // From the first construct on that the detector does not accept, nothing is checked.
  bool accepts(events::Construct construct, const events::SourceSite& at) {
    if (D::kTraits.accepts.contains(construct)) return true;
    refuse(construct, at);
    return false;
  }
  [[gnu::noinline]] void refuse(events::Construct construct, const events::SourceSite& at) {
    add(findings::Unsupported{construct == events::Construct::futures ? "future" : "isolated",
                              std::string("The detector ") + D::kTraits.name +
                                  " does not accept this construct: check with --detector graph "
                                  "(`anyorder detectors` lists what each accepts).",
                              findings::Trace({findings::Frame{0, {at.file, at.line, 0, at.function}}})});
    stopped_ = true;
  }

  // What the thread runs once it is outside the tool again.
  void run(events::InsideTool& inside, TaskState* state) {
    t_running = state;
    t_calls.begin_at(state == nullptr ? 0 : state->calls);
    anyorder_quick_thread_1.context = 0;
    counters();
    inside.set_running(t_once == 0 ? task_to_check() : nullptr);
  }
  void record(const findings::Unsupported& unsupported) {
    if (!over_.load(std::memory_order_relaxed) && found_.insert(unsupported)) writer_.add(unsupported);
  }

  void run_nothing() {
    t_running = nullptr;
    events::running_task() = nullptr;
  }
  void* task_to_check() const {
    return t_running == nullptr || stopped_ || over_.load(std::memory_order_relaxed) ? nullptr
                                                                                     : t_running->detector;
  }

  [[gnu::noinline]] void read_at_length(void* task, std::uintptr_t address, std::size_t bytes,
                                        std::uintptr_t pc) {
    const events::InsideTool inside;
    detector_.read(task, address, bytes, site_at(pc));
  }
  [[gnu::noinline]] void write_at_length(void* task, std::uintptr_t address, std::size_t bytes,
                                         std::uintptr_t pc) {
    const events::InsideTool inside;
    detector_.write(task, address, bytes, site_at(pc));
  }

  // Of the calls that the task is in.
  std::uint64_t context() {
    events::QuickThread& own = anyorder_quick_thread_1;
    if (own.context != 0) return own.context;
    const std::uint64_t context = t_calls.context();
    // What the root does is not kept by detectors, so it is never as simple as what a task did at the same
    // place.
    if (t_running != main_root_) own.context = context;
    return context;
  }

  // For learning from accesses; 0: none.
  std::uint32_t quick_place_at(std::uintptr_t pc, std::uint64_t calls) const {
    const PlaceNumber number = places_.known(pc - 1, calls);
    return number < D::kMostPlaces ? number : 0;
  }

  // The detector's word for a place is its number.
  std::uintptr_t site_at(std::uintptr_t return_address) {
    const PlaceNumber known = places_.known(return_address - 1, context());
    return known != 0 ? known : places_.learn(return_address - 1, t_calls);
  }
  // The same for any thread.
  PlaceNumber place_at(std::uintptr_t return_address) {
    return t_main_thread ? static_cast<PlaceNumber>(site_at(return_address))
                         : places_.at(return_address - 1, t_calls);
  }
  findings::Trace trace_of(std::uintptr_t site) const {
    return site == 0 ? findings::Trace() : places_[static_cast<PlaceNumber>(site)].to_trace();
  }

  void retire(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t pc) {
    if constexpr (kKnowsReferences) {
      detector_.retire(task, address, bytes, site_at(pc));
    } else {
      detector_.write(task, address, bytes, site_at(pc));
    }
  }

  record::CounterSlot& counters() {
    if (t_counters == nullptr) [[unlikely]]
      find_counters();
    return *t_counters;
  }
  [[gnu::noinline]] void find_counters() {
    t_counters = &writer_.counters_of_this_thread();
    anyorder_quick_thread_1.counts = &t_counters->plain;
    anyorder_quick_thread_1.places = quick_places_.data();
  }

  findings::Memory memory_at(std::uintptr_t address, std::uint64_t bytes) const {
    if (const auto block = heap_.find(address)) {
      if (address + bytes <= block->begin + block->bytes) {
        return {block->begin, findings::HeapMemory{trace_of(block->allocated_at)}};
      }
      return {};
    }
    if (auto local = local_at(address, t_calls)) return {0, *std::move(local)};
    return {};
  }

  void end(record::Ending how) {
    // Lines for repeated unsupported constructs were not written one by one.
    for (findings::Unsupported more : found_.snapshot().unsupported) {
      if (more.count < 2) continue;
      --more.count;
      writer_.add(more);
    }
    findings::Coverage coverage = findings::Coverage::all_schedules;
    if constexpr (requires(D & d) { d.coverage(); }) coverage = detector_.coverage();
    std::vector<std::pair<std::string, double>> statistics;
    if constexpr (requires(D & d) { d.statistics(std::uint64_t{0}, std::uint64_t{0}); }) {
      statistics = detector_.statistics(writer_.accesses(), writer_.readers_found());
    } else if constexpr (requires(D & d) { d.statistics(); }) {
      statistics = detector_.statistics();
    }
    writer_.ended(how, coverage, statistics);
    write_graph();
  }

  void write_graph() {
    if constexpr (requires(D & d, std::ostream & out) {
                    d.write_json(out);
                    d.write_dot(out);
                  }) {
      if (graph_path_.empty()) return;
      std::ofstream out(graph_path_);
      if (graph_path_.ends_with(".json")) {
        detector_.write_json(out);
      } else {
        detector_.write_dot(out);
      }
      if (!out.flush()) writer_.note("The graph could not be written to " + graph_path_ + ".");
    }
  }

  static inline constinit thread_local bool t_main_thread = false;
  static inline constinit thread_local bool t_known_unchecked = false;
  static inline constinit thread_local bool t_mutex_noted = false;
  static inline constinit thread_local TaskState* t_running = nullptr;
  static inline constinit thread_local TaskState* t_states = nullptr;  // that no task has
  static inline constinit thread_local unsigned t_once = 0;            // nested initialisations of statics

  record::Writer writer_;
  std::string graph_path_;
  findings::FindingSet found_;
  Places places_;
  HeapBlocks heap_;
  D detector_;
  std::array<events::QuickPlace, events::kQuickPlaces> quick_places_{};  // of the thread that is checked
  TaskState* main_root_ = nullptr;                                       // written by the main thread
  bool stopped_ = false;                                                 // likewise
  std::atomic<bool> instrumented_{false};
  std::atomic<bool> over_{false};
};

}  // namespace anyorder::binding
