// The structural events of a run, as the executors emit them.
//
// Who may call what: the executors call a listener on the thread that runs the task concerned; under the
// parallel executor several threads call at once. The order between two calls is the order of the program:
// an event of a task comes after those that happen before it on every schedule, and those calls
// happen-before it in the sense of the C++ memory model as well.
//
// Between task_begun(t) or task_resumed(t) and the next such call on the same thread, what that thread does
// is done by t. A task may be resumed on another thread than it began on.
//
// No call may run task operations. None may throw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace anyorder::events {

struct SourceSite {
  const char* file = "";
  const char* function = "";
  std::uint32_t line = 0;
};

// A word that the listener owns in the executor's record of a task or of a finish. Null at first.
using Slot = void*&;

enum class TaskKind : std::uint8_t {
  root,   // all that an ordinary thread does outside every task
  async,  // also one index of a forasync
  future,
};

class Listener {
 public:
  virtual ~Listener() = default;

  // An ordinary thread uses the library for the first time: its root task has begun, in a finish of its own.
  virtual void root_begun(Slot root, Slot finish) = 0;
  virtual void root_ended(Slot root, Slot finish) = 0;

  // finish is the child's IEF, the immediately enclosing finish.
  virtual void task_created(Slot parent, Slot child, Slot finish, TaskKind kind, SourceSite at) = 0;
  virtual void task_begun(Slot task) = 0;
  // The task has done its last action. Its record may live on as long as a handle does.
  virtual void task_ended(Slot task) = 0;
  virtual void task_resumed(Slot task) = 0;
  // The record is about to go; no further event names the task.
  virtual void task_forgotten(Slot task) = 0;

  virtual void finish_begun(Slot owner, Slot finish, SourceSite at) = 0;
  // Every task of the finish has ended.
  virtual void finish_ended(Slot owner, Slot finish) = 0;

  // Before the wait, and after it. The second comes even if the task failed and the get throws.
  virtual void get_begun(Slot getter, Slot target, SourceSite at) = 0;
  virtual void get_ended(Slot getter, Slot target, SourceSite at) = 0;

  // While the section holds its exclusion. No objects: it excludes every other section.
  virtual void isolated_entered(Slot task, std::span<const void* const> objects, SourceSite at) = 0;
  virtual void isolated_left(Slot task, std::span<const void* const> objects) = 0;

  // A task that was created, a future, is one of a region; before it begins.
  virtual void posted(Slot /*task*/, const void* /*region*/) {}
  // The task waits for any one of several that were posted into a region. Before the wait, with their slots;
  // and after it: the get of one of `among` of them follows, and the schedule has decided which.
  virtual void choice_begun(Slot /*chooser*/, std::span<void* const> /*among*/, SourceSite /*at*/) {}
  virtual void choice_made(Slot /*chooser*/, const void* /*region*/, std::size_t /*among*/,
                           SourceSite /*at*/) {}
  // The running task calls the handler of that task; what the first call returns, the second gets.
  virtual std::uint64_t result_handler_begun() { return 0; }
  virtual void result_handler_ended(std::uint64_t /*begun*/, std::size_t /*among*/,
                                    SourceSite /*posted_at*/) {}

  // The running task ends by an exception, which its finish or a get may throw again; or the body of its
  // innermost finish does, whose end may.
  virtual void failed(Slot /*task*/, bool /*in_body*/) {}
  // Memory for the record of a task, if the tool wants to say where it is; null: it does not.
  virtual void* task_memory(std::size_t /*bytes*/) { return nullptr; }
  // Whether the memory was the tool's; then it has it back.
  virtual bool task_memory_given_back(void* /*memory*/) noexcept { return false; }
  // The running task has asked whether a future has ended, which depends on the schedule.
  virtual void readiness_asked() {}
  // The bytes are about to hold the record of a new task, with its closure; what was there is gone. Not told
  // of a block that malloc has just given.
  virtual void memory_reused(const void* /*begin*/, std::size_t /*bytes*/) {}
  // The running task is about to give up one of the references that `counter` counts: a handle of a future,
  // a share of a loop's body. Not told of the last one.
  virtual void reference_dropped(const void* /*counter*/) {}
  // There is no reference any more, and until the second call the running task destroys what was shared.
  // Nests. Which task it is depends on the schedule, but on every one all others have dropped theirs before.
  // `ended` is the task that had one of the references until its end; null if none had.
  virtual void destruction_begun(const void* /*counter*/, Slot /*ended*/) {}
  virtual void destruction_ended() {}
};

}  // namespace anyorder::events
