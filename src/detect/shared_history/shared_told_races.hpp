// Races that were told already (history/told_races.hpp), for several threads.
//
// Contract: any thread. Memory far from all told races is forgotten without the lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "detect/history/told_races.hpp"

namespace anyorder::detect::shared_history {

class SharedToldRaces {
 public:
  // Whether it is to be told.
  [[nodiscard]] bool add(const history::ToldRaces::Race& race) {
    const std::lock_guard hold(mutex_);
    const bool is_new = told_.add(race);
    publish();
    return is_new;
  }

  // The memory will be another location.
  void forget(std::uintptr_t address, std::size_t bytes) {
    if (address >= highest_.load(std::memory_order_relaxed) ||
        address + bytes <= lowest_.load(std::memory_order_relaxed)) {
      return;
    }
    const std::lock_guard hold(mutex_);
    told_.forget(address, bytes);
    publish();
  }

 private:
  // Under the lock.
  void publish() noexcept {
    lowest_.store(told_.lowest(), std::memory_order_relaxed);
    highest_.store(told_.highest(), std::memory_order_relaxed);
  }

  std::mutex mutex_;  // guards the next
  history::ToldRaces told_;
  std::atomic<std::uintptr_t> lowest_{told_.lowest()};
  std::atomic<std::uintptr_t> highest_{told_.highest()};
};

}  // namespace anyorder::detect::shared_history
