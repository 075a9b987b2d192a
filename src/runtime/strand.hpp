// A strand: a native stack on which tasks run, with what belongs to that stack rather than to a thread.
//
// One thread at a time runs a strand and may touch its fields; a suspended strand belongs to whoever will
// make it ready. Strands with memory of their own go on on any worker. A thread's own stack goes on on that
// thread alone.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "anyorder/detail/finish_scope.hpp"
#include "anyorder/detail/task.hpp"
#include "support/context.hpp"
#include "support/stack_memory.hpp"

namespace anyorder::runtime {

struct Worker;

// The results that are to be dropped on one stack, one after another.
struct Disposal {
  int depth = 0;                 // so many are being dropped further down the stack, each by the one below it
  detail::Task* next = nullptr;  // those whose turn comes then, linked by Task::finish
};

struct StrandMemory {
  support::StackMemory memory;  // empty for a thread's own stack
};

}  // namespace anyorder::runtime

namespace anyorder::detail {

struct alignas(16) Strand final : runtime::StrandMemory, support::Context {
  // On new memory; the first switch to it calls entry.
  Strand(support::StackMemory stack, Entry entry)
      : StrandMemory{std::move(stack)},
        Context(memory.low(), memory.bytes(), entry),
        enough_room_(memory.low() + memory.bytes() / kReservedPart),
        deepest_(memory.high()) {}
  // The calling thread's own stack.
  explicit Strand(support::StackBounds bounds, runtime::Worker* of_thread)
      : Context(bounds.low, bounds.bytes),
        home(of_thread),
        enough_room_(bounds.low + bounds.bytes / kReservedPart),
        deepest_(bounds.low + bounds.bytes) {}

  // Whether a task may begin on top of what stands on this strand. It may not when less than a quarter of
  // the stack is left.
  bool has_room() noexcept {
    const char* const here = static_cast<const char*>(__builtin_frame_address(0));
    if (here < deepest_) deepest_ = here;
    return here > enough_room_;
  }

  // Gives the memory beyond the first `bytes` of the stack back, if tasks have nested that deep. What stands
  // on the strand must not reach that far.
  void forget_below(std::size_t bytes) noexcept {
    if (memory.high() - deepest_ <= static_cast<std::ptrdiff_t>(bytes)) return;
    memory.discard_below(bytes);
    deepest_ = memory.high();
  }

  runtime::Worker* const home = nullptr;  // the only worker that may resume it, if it is a thread's own

  Task* task = nullptr;        // the running task; null while the strand looks for work
  FinishView* view = nullptr;  // of the innermost scope that is open here
  LoopTask* loops = nullptr;   // the loop pieces that stand on this stack, innermost first
  Task* first = nullptr;       // what to run before looking for work
  Strand* next = nullptr;      // in the list of those who wait for one future

  runtime::Disposal disposal;
  std::shared_ptr<void> tool;  // what an attached tool keeps for this stack; goes with it

 private:
  static constexpr std::size_t kReservedPart = 4;
  const char* const enough_room_;
  const char* deepest_;  // where a task has begun
};

}  // namespace anyorder::detail

namespace anyorder::runtime {
using detail::Strand;
}  // namespace anyorder::runtime
