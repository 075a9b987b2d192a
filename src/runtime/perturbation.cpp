#include "runtime/perturbation.hpp"

#include <atomic>
#include <thread>

#include "runtime/idle.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/worker.hpp"

namespace anyorder::runtime {
namespace {

std::atomic<bool> on{false};
std::uint64_t chosen_seed = 0;

constexpr unsigned kMostMoves = 3;
constexpr unsigned kMostSpins = 2000;  // some microseconds

// By the queue's owner. What is taken out for a moment is back before somebody is called for it.
void shuffle(Worker& worker) noexcept {
  for (std::uint64_t moves = next_random(worker) % (kMostMoves + 1); moves != 0; --moves) {
    if (next_random(worker) % 4 == 0) {
      const Work newest = worker.queue.pop();
      const Work second = worker.queue.pop();
      if (newest) worker.queue.push(newest);
      if (second) worker.queue.push(second);
    } else if (const Work oldest = worker.queue.steal_if([](Work) { return true; })) {
      worker.queue.push(oldest);
    }
  }
}

void pause(Worker& worker) noexcept {
  switch (next_random(worker) % 16) {
    case 0:
      std::this_thread::yield();
      break;
    case 1:
      for (std::uint64_t spins = next_random(worker) % kMostSpins; spins != 0; --spins) asm volatile("");
      break;
    default:
      break;
  }
}

}  // namespace

void set_perturbation(std::optional<std::uint64_t> seed) noexcept {
  const bool wanted = seed.has_value();
  chosen_seed = seed.value_or(0);
  const unsigned count = workers().count();
  for (unsigned i = 0; i != count; ++i) workers().at(i).random = seed_of_worker(i);
  if (on.exchange(wanted, std::memory_order_relaxed) == wanted) return;
  sleepers.fetch_add(wanted ? 1 : -1, std::memory_order_seq_cst);
}

void perturb_if_on() noexcept {
  if (!on.load(std::memory_order_relaxed)) return;
  Worker* const worker = this_worker();
  if (worker == nullptr) return;
  // A task that its waiter finds on top of the queue runs on the waiter's stack, any other one on a stack of
  // its own: with many of these, new tasks stay on top.
  if (suspended_count() < kMostSuspended / 2) shuffle(*worker);
  pause(*worker);
}

std::uint64_t seed_of_worker(unsigned number) noexcept {
  std::uint64_t seed = (number + 1) * 0x9E37'79B9'7F4A'7C15U ^ chosen_seed * 0xBF58'476D'1CE4'E5B9U;
  seed ^= seed >> 31U;
  return seed == 0 ? 1 : seed;
}

}  // namespace anyorder::runtime
