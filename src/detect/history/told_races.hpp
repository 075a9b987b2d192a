// Races that were told already: two sites may race on one variable in each of a million tasks, and to
// describe a race takes far longer than to find it.
//
// Contract: one thread. Some are forgotten, and told again; none is held back that was not told of this
// memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "detect/history/ids.hpp"

namespace anyorder::detect::history {

class ToldRaces {
 public:
  struct Race {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    SiteId first = 0;
    SiteId second = 0;
    bool first_writes = false;
    bool second_writes = false;
    friend bool operator==(const Race&, const Race&) = default;
  };

  // Whether it is to be told.
  [[nodiscard]] bool add(const Race& race) noexcept {
    Race& told =
        told_[(race.begin / 4 + std::size_t{7} * race.first + std::size_t{31} * race.second) % told_.size()];
    if (told == race) return false;
    told = race;
    lowest_ = std::min(lowest_, race.begin);
    highest_ = std::max(highest_, race.end);
    return true;
  }

  // The memory will be another location.
  void forget(std::uintptr_t address, std::size_t bytes) noexcept {
    if (address < highest_ && address + bytes > lowest_) [[unlikely]]
      forget_all();
  }

  // All that is held back lies in between.
  [[nodiscard]] std::uintptr_t lowest() const noexcept { return lowest_; }
  [[nodiscard]] std::uintptr_t highest() const noexcept { return highest_; }

 private:
  [[gnu::noinline]] void forget_all() noexcept { *this = {}; }

  std::array<Race, 1024> told_{};
  std::uintptr_t lowest_ = ~std::uintptr_t{0};
  std::uintptr_t highest_ = 0;
};

}  // namespace anyorder::detect::history
