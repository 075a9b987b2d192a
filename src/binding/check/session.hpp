// One checked process: takes the events of all front ends and of the executor, drives a detector with them,
// and has what it finds recorded.
//
// Contract: there is one per process, made before the program's first constructor and never destroyed. The
// hooks call the static members of Receiver (variant.inc); the executor calls the Listener, the C library's
// front end the MemoryListener.
//
// What is checked: the main thread from its first task operation on, and all tasks that descend from it. What
// the main thread does before precedes every task. Other threads are not checked, and the verdict says so.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "binding/check/accesses.hpp"
#include "binding/check/address_space.hpp"
#include "binding/check/fresh_heap.hpp"
#include "binding/check/last_words.hpp"
#include "binding/check/recorder.hpp"
#include "binding/check/task_states.hpp"
#include "events/detector.hpp"
#include "events/guards.hpp"
#include "events/instrumented_code.hpp"
#include "events/memory.hpp"
#include "events/running_task.hpp"
#include "events/site_group.hpp"
#include "record/writer.hpp"
#include "runtime/worker.hpp"
#include "support/settings.hpp"

namespace anyorder::binding {

inline constinit thread_local record::CounterSlot* t_counters = nullptr;

template <events::Detector D>
class Session final : public events::Listener, public events::MemoryListener {
 public:
  // `graph`: where the detector's graph goes at the end; empty: nowhere.
  Session(const std::string& folder, std::string graph)
      : recorder_(folder, D::kTraits.name, is_exempt), graph_path_(std::move(graph)) {
    t_main_thread = true;
    anyorder_quick_thread_3.unwatched = true;
    anyorder_quick_watch_1 = true;
    if (usable()) counters();
    if constexpr (events::SiteKeepingDetector<D>) {
      if (support::value_of(support::kStacks) == "whole") t_whole_stacks = &recorder_.keep_whole_stacks();
    }
  }

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() override { delete main_root(); }

  [[nodiscard]] bool usable() { return recorder_.writer().usable(); }
  // Takes what others find, too.
  [[nodiscard]] Recorder& recorder() { return recorder_; }

  // --- The hooks ----------------------------------------------------------------------------------------

  // Which one cannot be told from the caller: constructors may jump to the hook instead of calling it.
  void module_started() {
    const events::InsideTool inside;
    if (!instrumented_.exchange(true)) recorder_.writer().instrumented();
    for (const AddressRange& module : modules_that_import("__tsan_init")) {
      if (events::instrumented_code.contains(module.begin)) continue;
      events::instrumented_code.add(module.begin, module.end - module.begin);
    }
  }

  [[nodiscard]] Accesses<D>& accesses() { return accesses_; }

  // An access where no task is known to run.
  void unchecked_access(std::uintptr_t pc) {
    if (anyorder_quick_thread_3.unwatched || events::inside_tool || recorder_.is_closed() || serves_pool()) {
      return;
    }
    anyorder_quick_thread_3.unwatched = true;
    const events::InsideTool inside;
    recorder_.add(findings::Unsupported{
        "thread",
        "The program runs instrumented code on a thread of its own. Only the main thread "
        "and its tasks are checked: make the thread's work a task (ao::async).",
        findings::Trace({findings::Frame{accesses_.place_at(events::first_of_group(pc)), {}}})});
  }

  void atomic_made() {
    if (events::running_task() == nullptr) return;
    record::count(counters().atomics);
  }

  // --- events::Listener ---------------------------------------------------------------------------------

  void root_begun(events::Slot root, events::Slot finish) override {
    accesses_.end_step();
    events::InsideTool inside;
    if (!t_main_thread) {
      recorder_.add(
          findings::Unsupported{"thread",
                                "A thread of the program's own creates tasks. Only the main thread and its "
                                "tasks are checked: make the thread's work a task (ao::async).",
                                {}});
      return;
    }
    if (main_root() != nullptr) {
      recorder_.add(
          findings::Unsupported{"task after main",
                                "Tasks that are created after main has returned, by destructors of static "
                                "objects, are not checked.",
                                {}});
      return;
    }
    TaskState* const state = TaskState::take();
    main_root_.store(state, std::memory_order_relaxed);
    if constexpr (kInParallel) recorder_.stacks().add(range_of_stack(), t_own_stack);
    root = state;
    detector_.root_begun(state->detector, finish);
    run(inside, state);
  }
  void root_ended(events::Slot root, events::Slot finish) override {
    accesses_.end_step();
    events::InsideTool inside;
    TaskState* const state = TaskState::in(root);
    if (state == nullptr) return;
    detector_.root_ended(state->detector, finish);
    run(inside, nullptr);
    end(record::Ending::complete);
  }

  void task_created(events::Slot parent, events::Slot child, events::Slot finish, events::TaskKind kind,
                    events::SourceSite at) override {
    accesses_.end_step();
    const events::InsideTool inside;
    record::count(kind == events::TaskKind::future ? counters().futures : counters().asyncs);
    TaskState* const creator = TaskState::in(parent);
    if (creator == nullptr || !accepts(construct_of(kind), at)) return;
    void* created = nullptr;
    detector_.task_created(creator->detector, created, finish, kind, at);
    child = at_rest(created);
  }
  void task_begun(events::Slot task) override {
    accesses_.end_step();
    events::InsideTool inside;
    TaskState* state = nullptr;
    find_stack();
    if (task != nullptr) {
      state = TaskState::take();
      state->detector = word_at_rest(task);
      task = state;
      // The caller's stack pointer: all that the task will have on this stack lies below.
      state->stack_top = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + 2 * sizeof(void*);
      state->calls = this_stack().calls.depth();
      if constexpr (kInParallel) forget_stack_below(state->stack_top);
      detector_.task_begun(state->detector);
    }
    run(inside, state);
  }
  void task_ended(events::Slot task) override {
    accesses_.end_step();
    events::InsideTool inside;
    if (TaskState* const state = TaskState::in(task)) {
      detector_.task_ended(state->detector);
      if constexpr (!kInParallel) forget_stack_below(state->stack_top);
      this_stack().calls.cut(state->calls);
      task = at_rest(state->detector);
      TaskState::give_back(state);
    }
    run(inside, nullptr);
  }
  void task_resumed(events::Slot task) override {
    accesses_.end_step();
    events::InsideTool inside;
    TaskState* const state = TaskState::in(task);
    find_stack();
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
    accesses_.end_step();
    const events::InsideTool inside;
    record::count(counters().finishes);
    TaskState* const state = TaskState::in(owner);
    if (state == nullptr) return;
    ++state->open_finishes;
    detector_.finish_begun(state->detector, finish, at);
  }
  void finish_ended(events::Slot owner, events::Slot finish) override {
    accesses_.end_step();
    const events::InsideTool inside;
    TaskState* const state = TaskState::in(owner);
    if (state == nullptr || finish == nullptr) return;
    --state->open_finishes;
    detector_.finish_ended(state->detector, finish);
  }

  void get_begun(events::Slot getter, events::Slot target, events::SourceSite at) override {
    accesses_.end_step();
    const events::InsideTool inside;
    record::count(counters().gets);
    TaskState* const state = TaskState::in(getter);
    if (state == nullptr || target == nullptr) return;
    on_detector_slot(target, [&](events::Slot future) { detector_.get_begun(state->detector, future, at); });
  }
  void get_ended(events::Slot getter, events::Slot target, events::SourceSite at) override {
    accesses_.end_step();
    const events::InsideTool inside;
    TaskState* const state = TaskState::in(getter);
    if (state == nullptr || target == nullptr) return;
    on_detector_slot(target, [&](events::Slot future) { detector_.get_ended(state->detector, future, at); });
  }

  void posted(events::Slot task, const void* region) override {
    accesses_.end_step();
    const events::InsideTool inside;
    if (task == nullptr) return;
    on_detector_slot(task, [&](events::Slot future) { detector_.posted(future, region); });
  }
  void choice_made(events::Slot chooser, const void* /*region*/, std::size_t among,
                   events::SourceSite at) override {
    accesses_.end_step();
    const events::InsideTool inside;
    if (TaskState::in(chooser) == nullptr) return;
    recorder_.add(findings::Unsupported{"await_one",
                                        "Which of " + std::to_string(among) +
                                            " tasks it takes depends on the schedule, and this run took one "
                                            "of them. Run `anyorder explore` to "
                                            "check the other choices.",
                                        trace_at(at)});
  }
  std::uint64_t result_handler_begun() override {
    accesses_.end_step();
    const events::InsideTool inside;
    return writes_so_far();
  }
  // If nobody sees which task await_one has taken, it does not matter.
  void result_handler_ended(std::uint64_t begun, std::size_t among, events::SourceSite posted_at) override {
    accesses_.end_step();
    const events::InsideTool inside;
    if (inside.running() == nullptr || writes_so_far() == begun) return;
    recorder_.add(findings::Unsupported{
        "handler that writes",
        "It has side effects, and the schedule decides when it is called: await_one took its task out of " +
            std::to_string(among) +
            ". Give the task a region of its own, or use await, which calls handlers in the order of the "
            "posts; "
            "or run `anyorder explore`.",
        trace_at(posted_at)});
  }

  void isolated_entered(events::Slot task, std::span<const void* const> objects,
                        events::SourceSite at) override {
    accesses_.end_step();
    const events::InsideTool inside;
    record::count(counters().isolated);
    TaskState* const state = TaskState::in(task);
    if (state == nullptr || !accepts(events::Construct::isolated, at)) return;
    detector_.isolated_entered(state->detector, objects, at);
  }
  void isolated_left(events::Slot task, std::span<const void* const> objects) override {
    accesses_.end_step();
    const events::InsideTool inside;
    TaskState* const state = TaskState::in(task);
    if (state != nullptr) detector_.isolated_left(state->detector, objects);
  }

  void memory_reused(const void* begin, std::size_t bytes) override {
    accesses_.make_runs();
    const events::InsideTool inside;
    if (!is_on(events::Guard::task_memory)) return;
    forget(reinterpret_cast<std::uintptr_t>(begin), bytes);
  }
  void reference_dropped(const void* counter) override {
    accesses_.end_step();
    if (events::running_task() == nullptr || !is_on(events::Guard::references)) return;
    const events::InsideTool inside;
    if constexpr (events::ReferenceDetector<D>) detector_.release_reference(inside.running(), counter);
  }
  void destruction_begun(const void* counter, events::Slot ended) override {
    accesses_.end_step();
    if (events::running_task() == nullptr || !is_on(events::Guard::references)) return;
    const events::InsideTool inside;
    void* const task = ended == nullptr ? nullptr : word_at_rest(ended);
    if constexpr (events::ReferenceDetector<D>) detector_.begin_destruction(inside.running(), counter, task);
  }
  void destruction_ended() override {
    accesses_.end_step();
    if (events::running_task() == nullptr || !is_on(events::Guard::references)) return;
    const events::InsideTool inside;
    if constexpr (events::ReferenceDetector<D>) detector_.end_destruction(inside.running());
  }
  // As destruction_begun, of a counter that the program keeps itself.
  void counter_emptied(const void* counter) {
    accesses_.end_step();
    if (events::running_task() == nullptr || !is_on(events::Guard::references)) return;
    const events::InsideTool inside;
    if constexpr (events::ReferenceDetector<D>) detector_.release_last_reference(inside.running(), counter);
  }

  // --- events::MemoryListener ---------------------------------------------------------------------------

  void read(const void* begin, std::size_t bytes, std::uintptr_t pc) override {
    if (is_on(events::Guard::c_library))
      accesses_.template check<events::Access::read>(events::running_task(), begin, bytes, pc);
  }
  void write(const void* begin, std::size_t bytes, std::uintptr_t pc) override {
    if (is_on(events::Guard::c_library))
      accesses_.template check<events::Access::write>(events::running_task(), begin, bytes, pc);
  }
  void allocated(const void* begin, std::size_t bytes, std::uintptr_t pc) override {
    accesses_.make_runs();
    const events::InsideTool inside;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    recorder_.heap().add(address, bytes, accesses_.place_at(pc));
    if constexpr (events::PageDetector<D>) {
      if (bytes >= events::kLargeBlock) [[unlikely]]
        detector_.expect(address, bytes);
    }
    const bool fresh = fresh_heap_.take(address, bytes);
    if (main_root() != nullptr && is_on(events::Guard::heap) && !fresh) forget(address, bytes);
  }
  void freed(const void* begin, std::uintptr_t pc) override {
    accesses_.make_runs();
    const events::InsideTool inside;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::optional<std::size_t> bytes = recorder_.heap().take(address);
    if (!bytes || inside.running() == nullptr || !events::instrumented_code.contains(pc)) return;
    if (!is_on(events::Guard::free)) return;
    retire(inside.running(), address, *bytes, pc);
  }
  void mapped(const void* begin, std::size_t bytes) override {
    accesses_.make_runs();
    const events::InsideTool inside;
    if (main_root() == nullptr) return;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    accesses_.forget(address, bytes);
    if constexpr (events::PageDetector<D>) {
      detector_.mapped(address, bytes);
    } else {
      detector_.forget(address, bytes);
    }
  }
  void unmapped(const void* begin, std::size_t bytes, std::uintptr_t pc) override {
    accesses_.make_runs();
    const events::InsideTool inside;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    if (inside.running() != nullptr && events::instrumented_code.contains(pc) && bytes != 0) {
      retire(inside.running(), address, bytes, pc);
    }
    if (main_root() == nullptr) return;
    accesses_.forget(address, bytes);
    if constexpr (events::PageDetector<D>) {
      detector_.unmapped(address, bytes);
    } else {
      detector_.forget(address, bytes);
    }
  }

  void once_begun() override {
    accesses_.end_step();
    if (!is_on(events::Guard::once)) return;
    ++this_stack().once;
    events::running_task() = nullptr;
  }
  void once_ended() override {
    unsigned& once = this_stack().once;
    if (once > 0 && --once == 0) events::running_task() = task_to_check();
  }

  void* handler_begun() override {
    void* const interrupted = events::running_task();
    t_interrupted = interrupted;
    if (is_on(events::Guard::signals)) events::running_task() = nullptr;
    return interrupted;
  }
  void handler_ended(void* interrupted) override {
    t_interrupted = nullptr;
    events::running_task() = interrupted;
  }

  void mutex_locked() override {
    if (events::running_task() == nullptr || t_mutex_noted) return;
    t_mutex_noted = true;
    const events::InsideTool inside;
    recorder_.writer().note(
        "The program locks a mutex in a task. The check does not know what mutexes protect, and reports it "
        "like all "
        "else: use ao::isolated, which it knows.");
  }

  void forked(bool in_child) override {
    const events::InsideTool inside;
    if (in_child) {
      recorder_.close();
      run_nothing();
    } else {
      recorder_.writer().note("A child process that the program forked is not checked.");
    }
  }

  void ending() override {
    accesses_.end_step();
    events::InsideTool inside;
    if (recorder_.is_closed()) return;
    const TaskState* const root = main_root();
    const bool outermost = root == nullptr || (t_running == root && root->open_finishes == 0);
    end(outermost ? record::Ending::complete : record::Ending::inside_task);
    recorder_.close();
    inside.set_running(nullptr);
  }

  void aborting() override {
    if (events::inside_tool) return;
    void*& running = events::running_task();
    void* const none = std::exchange(running, running != nullptr ? running : t_interrupted);
    accesses_.make_runs();
    running = none;
  }

  // The program has returned from main, or called exit, and everything else has been done.
  void process_ends() {
    const events::InsideTool inside;
    if (!recorder_.is_closed() && main_root() == nullptr) end(record::Ending::complete);
  }

 private:
  // What no other task can have meant.
  static bool is_exempt(std::uintptr_t address) {
    return (is_on(events::Guard::thread_local_data) && is_thread_local(address)) ||
           (is_on(events::Guard::cxx_library) && is_of_cxx_library(address));
  }

  static constexpr bool kInParallel = D::kTraits.needs == events::Execution::parallel;

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
    recorder_.add(findings::Unsupported{construct == events::Construct::futures ? "future" : "isolated",
                                        std::string("The detector ") + D::kTraits.name +
                                            " does not accept this construct: check with --detector " +
                                            (construct == events::Construct::futures ? "dtrg" : "graph") +
                                            " (`anyorder detectors` lists what each accepts).",
                                        trace_at(at)});
    stopped_.store(true, std::memory_order_relaxed);
    // Other threads may still run tasks that are checked.
    if constexpr (kInParallel) recorder_.drop_races();
  }

  // Where tasks have run before. A task that ends leaves the stack to its parent, if tasks run where they are
  // created, or else to one that may have been running in parallel, as may its own waiting parent: what that
  // has left there must not be there when the next one begins.
  void forget_stack_below(std::uintptr_t top) {
    if (!is_on(events::Guard::stack)) return;
    const std::uintptr_t bottom = range_of_stack().begin;
    forget(bottom, top - bottom);
  }
  void forget(std::uintptr_t address, std::size_t bytes) {
    accesses_.forget(address, bytes);
    detector_.forget(address, bytes);
  }
  // What threads of the pool do between tasks, such as to destroy a closure, follows from what tasks did.
  static bool serves_pool() {
    const runtime::Worker* const worker = runtime::this_worker();
    return worker != nullptr && worker->role == runtime::Worker::Role::pool;
  }
  // Under the parallel executor a thread runs one stack after the other. The serial one has a stack of its
  // own on top of the thread's.
  void find_stack() {
    if constexpr (kInParallel) {
      runtime::Strand& strand = *runtime::this_worker()->strand;
      if (strand.home == nullptr && strand.tool == nullptr)
        strand.tool = recorder_.stacks().make(range_of_stack());
      t_other_stack = strand.home == nullptr ? static_cast<StackState*>(strand.tool.get()) : nullptr;
    }
  }
  // What the thread runs once it is outside the tool again.
  void run(events::InsideTool& inside, TaskState* state) {
    t_running = state;
    this_stack().calls.begin_at(state == nullptr ? 0 : state->calls);
    counters();
    accesses_.runs_root(state == main_root());
    anyorder_quick_thread_3.stack_top = state == nullptr ? 0 : state->stack_top;
    inside.set_running(this_stack().once == 0 ? task_to_check() : nullptr);
  }

  // By the calling thread.
  std::uint64_t writes_so_far() {
    std::uint64_t sum = 0;
    for (const std::uint64_t& writes : counters().plain.writes) sum += writes;
    return sum;
  }

  // Null: no task operation yet.
  [[nodiscard]] TaskState* main_root() const { return main_root_.load(std::memory_order_relaxed); }

  void run_nothing() {
    t_running = nullptr;
    events::running_task() = nullptr;
  }
  void* task_to_check() const {
    return t_running == nullptr || stopped_.load(std::memory_order_relaxed) || recorder_.is_closed()
               ? nullptr
               : t_running->detector;
  }

  void retire(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t pc) {
    if constexpr (events::ReferenceDetector<D>) {
      detector_.retire(task, address, bytes, accesses_.site_of(accesses_.place_at(pc)));
    } else {
      detector_.write(task, address, bytes, accesses_.site_of(accesses_.place_at(pc)));
    }
  }

  record::CounterSlot& counters() {
    if (t_counters == nullptr) [[unlikely]]
      find_counters();
    return *t_counters;
  }
  [[gnu::noinline]] void find_counters() {
    t_counters = &recorder_.writer().counters_of_this_thread();
    const std::lock_guard lock(threads_mutex_);
    threads_.push_back(std::make_unique<ThreadPlaces>());
    accesses_.begin_thread(t_counters->plain, *threads_.back());
  }

  void end(record::Ending how) {
    if constexpr (requires(D & d) { d.remedies(); }) recorder_.add_remedies(detector_.remedies());
    recorder_.end(how, coverage_by(detector_), statistics_by(detector_, recorder_.writer()));
    if (!write_graph_of(detector_, graph_path_)) {
      recorder_.writer().note("The graph could not be written to " + graph_path_ + ".");
    }
  }

  static inline constinit thread_local bool t_main_thread = false;
  static inline constinit thread_local bool t_mutex_noted = false;
  static inline constinit thread_local TaskState* t_running = nullptr;
  static inline constinit thread_local void* t_interrupted = nullptr;  // by the signal handler that runs

  Recorder recorder_;
  FreshHeap fresh_heap_;
  std::string graph_path_;
  D detector_{recorder_};
  Accesses<D> accesses_{detector_, recorder_.places()};
  std::mutex threads_mutex_;
  std::vector<std::unique_ptr<ThreadPlaces>> threads_;  // guarded by it; of each thread that ran a task
  std::atomic<TaskState*> main_root_{nullptr};          // written by the main thread
  std::atomic<bool> stopped_{false};
  std::atomic<bool> instrumented_{false};
};

}  // namespace anyorder::binding
