// What the program does with memory other than by its own instructions: allocation, and accesses that the C
// library makes on its behalf. Front ends that intercept library calls emit these.
//
// Contract: on the thread that makes the call; several threads may call at once. `pc` is a return address in
// the code that called the library. An access is told only if that code is instrumented. No call may throw.
#pragma once

#include <cstddef>
#include <cstdint>

namespace anyorder::events {

class MemoryListener {
 public:
  virtual ~MemoryListener() = default;

  virtual void read(const void* begin, std::size_t bytes, std::uintptr_t pc) = 0;
  virtual void write(const void* begin, std::size_t bytes, std::uintptr_t pc) = 0;

  // Where a block is to be, if the listener says so; null: where the C library puts it. Asked only if
  // placed_blocks is not empty.
  virtual void* place(std::size_t /*bytes*/, std::size_t /*alignment*/) { return nullptr; }

  // A block of the heap, new or used again.
  virtual void allocated(const void* begin, std::size_t bytes, std::uintptr_t pc) = 0;
  // Before the block goes back. It counts as a write to all of it if the code at pc is instrumented.
  virtual void freed(const void* begin, std::uintptr_t pc) = 0;
  // Pages, new or replaced by others.
  virtual void mapped(const void* begin, std::size_t bytes) = 0;
  // Before they go.
  virtual void unmapped(const void* begin, std::size_t bytes, std::uintptr_t pc) = 0;

  // What happens until the matching call is done once for all tasks, by whichever comes first, and the others
  // wait for it: the initialisation of a static, a call_once.
  virtual void once_begun() = 0;
  virtual void once_ended() = 0;

  // Instrumented code is about to lock a mutex.
  virtual void mutex_locked() = 0;

  // A signal handler of the program's runs from the first call to the second, which gets what the first
  // returned. It may run in the middle of anything, the tool's own work included.
  virtual void* handler_begun() = 0;
  virtual void handler_ended(void* interrupted) = 0;

  // After a fork, in each of the two processes.
  virtual void forked(bool in_child) = 0;
  // exit, _exit and the like: the program ends here.
  virtual void ending() = 0;
  // abort, a failed assertion, a fault that nobody handles: the process is about to die.
  virtual void aborting() {}
};

// Blocks that place() has chosen: they lie in this range, have their size in the word before them, and are
// never given to the C library.
struct PlacedBlocks {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  [[nodiscard]] bool contains(const void* block) const noexcept {
    return reinterpret_cast<std::uintptr_t>(block) - begin < end - begin;
  }
  [[nodiscard]] static std::size_t size_of(const void* block) noexcept {
    return static_cast<const std::size_t*>(block)[-1];
  }
};
// Empty: none are placed.
inline constinit PlacedBlocks placed_blocks;

// Null: nobody listens. Set once, before the program's first constructor runs.
inline constinit MemoryListener* attached_memory_listener = nullptr;

}  // namespace anyorder::events
