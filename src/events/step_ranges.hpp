// Ranges that a step has accessed as a whole, as far as one thread remembers them: another such access in the
// same step is no news, whatever the cells say by now. Who has changed them meanwhile races with the step,
// and has told. So what loops of a step go over again and again is not even looked at.
//
// Contract: one thread. Steps have numbers of their own, from 1 on. Whoever forgets what a range of memory
// has seen, on this thread, says so here: it may be accessed anew in the same step.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "events/quick.hpp"

namespace anyorder::events {

// `outer_count` times `count` times so many bytes, by strides.
struct Rows {
  std::uintptr_t begin;
  std::size_t bytes;
  std::ptrdiff_t stride = 0;
  std::size_t count = 1;
  std::ptrdiff_t outer_stride = 0;
  std::size_t outer_count = 1;

  bool operator==(const Rows&) const = default;

  [[nodiscard]] bool is_one() const noexcept { return count == 1 && outer_count == 1; }
  // Whether all of its bytes are bytes of the other, as far as that is seen at once.
  [[nodiscard]] bool within(const Rows& other) const noexcept {
    if (is_one() && other.is_one()) {
      return begin >= other.begin && begin + bytes <= other.begin + other.bytes;
    }
    return *this == other;
  }
  // All between its first byte and the end of its last one.
  [[nodiscard]] std::uintptr_t lowest() const noexcept {
    return begin + static_cast<std::uintptr_t>(std::min<std::ptrdiff_t>(way(stride, count), 0) +
                                               std::min<std::ptrdiff_t>(way(outer_stride, outer_count), 0));
  }
  [[nodiscard]] std::uintptr_t end() const noexcept {
    return begin + bytes +
           static_cast<std::uintptr_t>(std::max<std::ptrdiff_t>(way(stride, count), 0) +
                                       std::max<std::ptrdiff_t>(way(outer_stride, outer_count), 0));
  }

 private:
  static std::ptrdiff_t way(std::ptrdiff_t by, std::size_t times) noexcept {
    return by * static_cast<std::ptrdiff_t>(times - 1);
  }
};

class StepRanges {
 public:
  // Whether it is known that this step, which has a number, has made the access.
  template <Access kAccess>
  [[nodiscard, gnu::always_inline]] bool knows(std::uintptr_t place, const Rows& rows,
                                               std::uint32_t step) noexcept {
    const Known& known = known_at<kAccess>(place);
    return step != 0 && known.step == step && rows.within(known.rows);
  }
  // Calls make(), which makes the access and has all its races told, unless it is known that the step has
  // made it before; whether it called it. step_of() is the step's number; 0: it has none yet, and may get one
  // by what it does.
  template <Access kAccess, class StepOf, class Make>
  [[gnu::always_inline]] bool make_once(std::uintptr_t place, const Rows& rows, StepOf step_of, Make make) {
    if (knows<kAccess>(place, rows, step_of())) return false;
    Known& known = known_at<kAccess>(place);
    make();
    known = {rows, step_of()};
    lowest_ = std::min(lowest_, rows.lowest());
    end_ = std::max(end_, rows.end());
    return true;
  }
  void forget(std::uintptr_t address, std::size_t bytes) noexcept {
    if (address >= end_ || address + bytes <= lowest_) [[likely]]
      return;
    *this = {};
  }

 private:
  // What was made last at a place, or at another one that shares its room.
  struct Known {
    Rows rows{};
    std::uint32_t step = 0;  // 0: none
  };
  template <Access kAccess>
  [[nodiscard]] Known& known_at(std::uintptr_t place) noexcept {
    return known_[(place / 4 * 2 + (kAccess == Access::write ? 1 : 0)) % known_.size()];
  }

  std::array<Known, 32> known_{};
  std::uintptr_t lowest_ = ~std::uintptr_t{0};  // of all that are known, or more
  std::uintptr_t end_ = 0;
};

}  // namespace anyorder::events
