// What the binding keeps of a task from its beginning to its end, and how a task's slot leads to it.
//
// The slot points to the state while the task runs. Before and after, when there may be millions of tasks, it
// holds what the detector keeps for it, marked by a bit that neither a pointer nor a number has. Null: the
// task is not checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "events/listener.hpp"

namespace anyorder::binding {

struct TaskState {
  void* detector = nullptr;      // the detector's slot
  std::uintptr_t stack_top = 0;  // its part of the stack lies below
  std::size_t calls = 0;         // depth of the call stack when it began
  std::uint32_t open_finishes = 0;
  TaskState* next = nullptr;  // of those that no task has

  // Tasks end where they began or on another thread: a state may come back to another one than it is from.
  static TaskState* take() {
    TaskState* const state = t_spare;
    if (state == nullptr) return new TaskState;
    t_spare = std::exchange(state->next, nullptr);
    return state;
  }
  static void give_back(TaskState* state) {
    *state = {};
    state->next = std::exchange(t_spare, state);
  }

  // Of a task that runs.
  static TaskState* in(void* slot) { return static_cast<TaskState*>(slot); }

 private:
  static constinit thread_local TaskState* t_spare;
};
inline constinit thread_local TaskState* TaskState::t_spare = nullptr;

// The slot of a task that does not run, for what the detector keeps.
inline constexpr std::uintptr_t kAtRest = std::uintptr_t{1} << 63U;
inline void* at_rest(void* word) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(word) | kAtRest);
}
inline bool is_at_rest(const void* slot) { return (reinterpret_cast<std::uintptr_t>(slot) & kAtRest) != 0; }
inline void* word_at_rest(void* slot) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(slot) & ~kAtRest);
}
// Calls f with the detector's slot of any task that is checked.
template <class F>
void on_detector_slot(events::Slot task, F f) {
  if (!is_at_rest(task)) {
    f(TaskState::in(task)->detector);
    return;
  }
  void* word = word_at_rest(task);
  f(word);
  task = at_rest(word);
}

}  // namespace anyorder::binding
