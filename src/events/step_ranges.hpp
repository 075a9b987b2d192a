// Ranges that a step has accessed as a whole, as far as one thread remembers them: another such access in the
// same step is no news, whatever the cells say by now. Who has changed them meanwhile races with the step, and
// has told. So what loops of a step go over again and again is not even looked at.
//
// Contract: one thread. Steps have numbers of their own, from 1 on. Whoever forgets what a range of memory has
// seen, on this thread, says so here: it may be accessed anew in the same step.
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
  // Where an access at this place is remembered, the last one.
  struct Access {
    Rows rows{};
    std::uint32_t step = 0;  // 0: none
  };
  template <events::Access kAccess>
  [[nodiscard]] Access& at(std::uintptr_t place) noexcept {
    return accesses_[(place / 4 * 2 + (kAccess == events::Access::write ? 1 : 0)) % accesses_.size()];
  }
  [[nodiscard]] static bool has(const Access& known, std::uint32_t step, const Rows& rows) noexcept {
    return known.step == step && rows.within(known.rows);
  }
  // All races of it have been told.
  void add(Access& known, std::uint32_t step, const Rows& rows) noexcept {
    known = {rows, step};
    lowest_ = std::min(lowest_, rows.lowest());
    end_ = std::max(end_, rows.end());
  }
  void forget(std::uintptr_t address, std::size_t bytes) noexcept {
    if (address >= end_ || address + bytes <= lowest_) [[likely]]
      return;
    *this = {};
  }

 private:
  std::array<Access, 32> accesses_{};
  std::uintptr_t lowest_ = ~std::uintptr_t{0};  // of all that are remembered, or more
  std::uintptr_t end_ = 0;
};

}  // namespace anyorder::events
