// Which task a thread runs, as the front ends see it.
//
// The binding writes it when tasks begin, end and resume; front ends read it at every access. It is null
// where nothing is to be checked: outside of tasks and roots, inside the tool, in signal handlers.
#pragma once

#include <utility>

#include "events/quick.hpp"

namespace anyorder::events {

// The detector's slot of the running task.
inline void*& running_task() noexcept { return anyorder_quick_thread_3.task; }
// The thread is inside the tool: what it allocates is the tool's own.
inline constinit thread_local bool inside_tool = false;

// While it lives, what this thread does is the tool's own business. Nests.
class InsideTool {
 public:
  InsideTool() noexcept
      : task_(std::exchange(running_task(), nullptr)), was_inside_(std::exchange(inside_tool, true)) {}
  ~InsideTool() {
    running_task() = task_;
    inside_tool = was_inside_;
  }
  InsideTool(const InsideTool&) = delete;
  InsideTool& operator=(const InsideTool&) = delete;

  // What the thread will run afterwards.
  void set_running(void* task) noexcept { task_ = task; }
  [[nodiscard]] void* running() const noexcept { return task_; }

 private:
  void* task_;
  bool was_inside_;
};

}  // namespace anyorder::events
