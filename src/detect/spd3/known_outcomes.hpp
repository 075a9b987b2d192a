// What accesses of one step at one place did lately, as far as one thread has seen it: a loop does the same
// to cell after cell.
//
// What an access does to a cell follows from the cell, the bytes, the step and the place alone (rules.hpp),
// and steps lie to each other the same way for ever: so nothing is ever forgotten but for room.
//
// Contract: one thread, one tree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "detect/spd3/cell.hpp"
#include "detect/spd3/ids.hpp"
#include "detect/spd3/rules.hpp"
#include "detect/spd3/tree.hpp"

namespace anyorder::detect::spd3 {

class KnownOutcomes {
 public:
  struct Outcome {
    Step by{};  // of no scope: empty
    PlaceId place = kNoPlace;
    ByteMask bytes = 0;
    Effect effect = Effect::none;
    Cell before{};
    Cell after{};

    [[nodiscard, gnu::always_inline]] bool is_of(const Step& step, PlaceId at, ByteMask accessed,
                                                 const Cell& cell) const noexcept {
      return by.scope == step.scope && by.position == step.position && place == at && bytes == accessed &&
             before.entries == cell.entries;
    }
  };

  // The one that an access of this kind may have left.
  template <findings::AccessKind kKind>
  [[nodiscard, gnu::always_inline]] Outcome& of(PlaceId place, ByteMask bytes) noexcept {
    const std::size_t kind = kKind == findings::AccessKind::read ? 0 : 1;
    return known_[(place * 4 + kind * 2 + (bytes > 0xf ? 1 : 0)) % kKnown];
  }

 private:
  static constexpr std::size_t kKnown = 128;
  std::array<Outcome, kKnown> known_{};
};

}  // namespace anyorder::detect::spd3
