// Stretches of memory that a step has accessed as a whole, as far as one thread remembers them: of another
// access in the same step only the rest is news, whatever the cells say by now. Who has changed them
// meanwhile races with the step, and has told. So the rows above and below that a stencil reads, and what it
// reads to the left and to the right, are looked at once.
//
// Contract: one thread. Epochs are other ones after each task operation, and never 0. Whoever forgets what
// memory has seen, on this thread, says so here: it may be accessed anew in the same step.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "events/quick.hpp"

namespace anyorder::events {

class StepStretches {
 public:
  struct Stretch {
    std::uintptr_t begin;
    std::uintptr_t end;

    // Whether the two together have no gap.
    [[nodiscard]] bool touches(const Stretch& other) const noexcept {
      return begin <= other.end && end >= other.begin;
    }
  };

  // Whether all of it has been accessed, as one of those that are known: then there is nothing to do.
  template <Access kAccess>
  [[nodiscard, gnu::always_inline]] bool knows(const Stretch& stretch, std::uint64_t epoch) const noexcept {
    const Known& known = kAccess == Access::read ? reads_ : writes_;
    if (known.epoch != epoch) return false;
    for (const Stretch& one : known.stretches) {
      if (stretch.begin >= one.begin && stretch.end <= one.end) return true;
    }
    return false;
  }
  // Calls make(rest) for what is left of an access to do, if anything; it does all of that.
  template <Access kAccess, class Make>
  [[gnu::always_inline]] void make_rest(const Stretch& stretch, std::uint64_t epoch, Make make) {
    if (!knows<kAccess>(stretch, epoch)) make_rest_of_unknown<kAccess>(stretch, epoch, make);
  }
  // The same of one that knows() does not have.
  template <Access kAccess, class Make>
  [[gnu::always_inline]] void make_rest_of_unknown(const Stretch& stretch, std::uint64_t epoch, Make make) {
    Known& known = kAccess == Access::read ? reads_ : writes_;
    if (known.epoch != epoch) known = {.epoch = epoch};
    for (Stretch& one : known.stretches) {
      if (!stretch.touches(one)) continue;
      make(rest_of(stretch, one));
      one = {std::min(one.begin, stretch.begin), std::max(one.end, stretch.end)};
      return;
    }
    make(stretch);
    known.stretches[known.next++ % kKept] = stretch;
  }
  void forget(std::uintptr_t address, std::size_t bytes) noexcept {
    for (Known* const known : {&reads_, &writes_}) {
      for (Stretch& one : known->stretches) {
        if (address < one.end && address + bytes > one.begin) one = {};
      }
    }
  }

 private:
  // Three rows for what goes through a matrix, and one for what goes elsewhere.
  static constexpr std::size_t kKept = 4;

  struct Known {
    std::uint64_t epoch = 0;
    unsigned next = 0;
    std::array<Stretch, kKept> stretches{};
  };

  // Of a stretch that touches one that is known. All of it, if that leaves two rests.
  static Stretch rest_of(const Stretch& stretch, const Stretch& known) noexcept {
    const bool begins_within = stretch.begin >= known.begin;
    const bool ends_within = stretch.end <= known.end;
    return {begins_within ? std::min(known.end, stretch.end) : stretch.begin,
            ends_within ? std::max(known.begin, begins_within ? stretch.end : stretch.begin) : stretch.end};
  }

  Known reads_;
  Known writes_;
};

}  // namespace anyorder::events
