// A worker: what one thread needs to run tasks. Every thread that uses the library has one while it does.
//
// Workers are never freed; one that its thread has left is used again. What was left in its queue can still
// be stolen meanwhile.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "anyorder/detail/task.hpp"
#include "anyorder/isolated.hpp"
#include "runtime/strand.hpp"
#include "support/block_cache.hpp"
#include "support/work_deque.hpp"

namespace anyorder::runtime {

class Controlled;

// What a queue holds: a task that has not started (or a future that somebody has claimed since), or a strand
// that can go on.
class Work {
 public:
  constexpr Work() noexcept = default;
  explicit Work(detail::Task& task) noexcept : bits_(reinterpret_cast<std::uintptr_t>(&task)) {}
  explicit Work(Strand& strand) noexcept : bits_(reinterpret_cast<std::uintptr_t>(&strand) | kStrand) {}

  explicit operator bool() const noexcept { return bits_ != 0; }
  friend bool operator==(Work, Work) noexcept = default;
  bool is_strand() const noexcept { return (bits_ & kStrand) != 0; }
  Strand& strand() const noexcept { return *reinterpret_cast<Strand*>(bits_ & ~kStrand); }
  detail::Task& task() const noexcept { return *reinterpret_cast<detail::Task*>(bits_); }

 private:
  static constexpr std::uintptr_t kStrand = 1;
  std::uintptr_t bits_ = 0;
};

struct alignas(64) Worker {
  enum class Role : std::uint8_t { ordinary_thread, pool };

  support::WorkDeque<Work> queue;

  // The thread that has the worker, only.
  Strand* strand = nullptr;  // what runs now
  Strand* own = nullptr;     // the thread's own stack
  Role role = Role::ordinary_thread;
  bool joins_at_once = false;  // the program ends: nothing waits for a task outside a finish later
  const detail::IsolatedSection* isolated = nullptr;  // the section that the thread is in
  std::unique_ptr<Strand> serial;                     // the serial executor's stack
  Controlled* controlled = nullptr;                   // the controlled run that the thread is in
  support::BlockCache blocks;
  std::vector<std::unique_ptr<Strand>> spare;  // strands that stand in the scheduler's loop
  std::size_t left_behind = 0;                 // claims that may have left a place in this queue
  std::uint64_t random = 0;                    // next_random()

  // Written by others.
  std::atomic<bool> own_ready{false};  // the thread's own stack can go on
  std::atomic<bool> running{false};    // a task, not the scheduler, has the thread
  std::mutex parking;
  std::condition_variable unparked;
  bool parked = false;  // guarded by `parking`
};

// By the thread that has the worker. Xorshift; never 0.
inline std::uint64_t next_random(Worker& worker) noexcept {
  worker.random ^= worker.random << 13U;
  worker.random ^= worker.random >> 7U;
  worker.random ^= worker.random << 17U;
  return worker.random;
}

// The calling thread's worker. Never inlined: a task that was suspended may be on another thread afterwards,
// and the compiler may keep a thread-local's address over the switch.
[[gnu::noinline]] Worker* this_worker() noexcept;
void set_this_worker(Worker* worker) noexcept;

// All workers that there are or were, for thieves.
class Workers {
 public:
  // A worker that no thread has.
  Worker& acquire(Worker::Role role);
  void give_back(Worker& worker);

  unsigned count() const noexcept { return count_.load(std::memory_order_seq_cst); }
  Worker& at(unsigned i) const noexcept { return *all_[i].load(std::memory_order_relaxed); }

 private:
  static constexpr unsigned kMost = 4096;
  std::atomic<Worker*> all_[kMost] = {};
  std::atomic<unsigned> count_{0};
  std::mutex mutex_;
  std::vector<Worker*> free_;
};
Workers& workers() noexcept;

}  // namespace anyorder::runtime
