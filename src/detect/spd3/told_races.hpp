// Races that were told already: two places may race on one variable in each of a million tasks, and to
// describe a race takes far longer than to find it.
//
// Contract: any thread. Some are forgotten, and told again; none is held back that was not told of this
// memory.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "detect/spd3/access_history.hpp"

namespace anyorder::detect::spd3 {

class ToldRaces {
 public:
  struct Race {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    PlaceId first = 0;
    PlaceId second = 0;
    bool first_writes = false;
    bool second_writes = false;
    friend bool operator==(const Race&, const Race&) = default;
  };

  // Whether it is to be told.
  [[nodiscard]] bool add(const Race& race) {
    const std::lock_guard hold(mutex_);
    Race& told =
        told_[(race.begin / 4 + std::size_t{7} * race.first + std::size_t{31} * race.second) % told_.size()];
    if (told == race) return false;
    told = race;
    lowest_.store(std::min(lowest_.load(std::memory_order_relaxed), race.begin), std::memory_order_relaxed);
    highest_.store(std::max(highest_.load(std::memory_order_relaxed), race.end), std::memory_order_relaxed);
    return true;
  }

  // The memory will be another location.
  void forget(std::uintptr_t address, std::size_t bytes) {
    if (address >= highest_.load(std::memory_order_relaxed) ||
        address + bytes <= lowest_.load(std::memory_order_relaxed)) {
      return;
    }
    const std::lock_guard hold(mutex_);
    told_ = {};
    lowest_.store(kHighest, std::memory_order_relaxed);
    highest_.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uintptr_t kHighest = ~std::uintptr_t{0};

  std::mutex mutex_;
  std::array<Race, 1024> told_{};
  // All that is held back lies in between; changed under the lock.
  std::atomic<std::uintptr_t> lowest_{kHighest};
  std::atomic<std::uintptr_t> highest_{0};
};

}  // namespace anyorder::detect::spd3
