// Which readers of a byte stay when there are two, in parallel with each other, and a third one comes. All
// rules keep enough: whatever writes later and is in parallel with any reader since the last write is in
// parallel with one that is kept.
//
// Contract: pure. An Actor as rules.hpp has it; p0 and p1: whether it is in parallel with r0, and with r1.
#pragma once

#include <cstdint>

#include "detect/shared_history/ids.hpp"

namespace anyorder::detect::shared_history {

// Of the two; nobody: the new one is not kept.
enum class Dropped : std::uint8_t { nobody, first, second, both };

// SPD3, Algorithm 2. As long as what comes is within the construct in which the two part, nothing changes: a
// write in there is in another branch than one of them, and after its end all three precede.
struct OutsideOfBoth {
  template <class Actor>
  [[nodiscard, gnu::always_inline]] static inline Dropped choose(StepId r0, bool p0, StepId r1, bool p1,
                                                                 Actor& actor) {
    if (!p0 && !p1) return Dropped::both;
    return p0 && p1 && actor.above(r0, r1) ? Dropped::first : Dropped::nobody;
  }
};

// Offset-span labeling, checkread: the leftmost and the rightmost of the lowest readers. Each reader of a
// loop that runs in order is further to the right, and so each of them changes the cell.
struct LeftmostAndRightmost {
  template <class Actor>
  [[nodiscard, gnu::always_inline]] static inline Dropped choose(StepId r0, bool p0, StepId r1, bool p1,
                                                                 Actor& actor) {
    if (!p0 && !p1) return Dropped::both;
    if (!p0) return Dropped::first;
    if (!p1) return Dropped::second;
    const bool right_of_0 = actor.right_of(r0);
    if (right_of_0 != actor.right_of(r1)) return Dropped::nobody;
    // The new one is outside on the side of the one that it comes next to.
    return right_of_0 == actor.left(r0, r1) ? Dropped::second : Dropped::first;
  }
};

// The same with the invariant relaxed so far that readers of a loop need not change the cell: leftmost and
// rightmost but for those that are in the same fork as the two.
struct OutermostLeftAndRight {
  template <class Actor>
  [[nodiscard, gnu::always_inline]] static inline Dropped choose(StepId r0, bool p0, StepId r1, bool p1,
                                                                 Actor& actor) {
    if (!p0 && !p1) return Dropped::both;
    if (!p0 || !p1 || !actor.above(r0, r1)) return Dropped::nobody;
    return actor.right_of(r0) == actor.left(r0, r1) ? Dropped::second : Dropped::first;
  }
};

}  // namespace anyorder::detect::shared_history
