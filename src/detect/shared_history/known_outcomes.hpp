// What accesses of one step did lately, as far as one thread has seen it: a loop does the same to cell after
// cell. (That a read changed nothing, and what precedes a step, is in
// events/quick_steps.hpp.)
//
// What an access does to a cell follows from the entries, the bytes, the step and the place alone
// (rules.hpp), and steps lie to each other the same way for ever: so nothing is ever forgotten but for room.
//
// Contract: one thread, one order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "detect/shared_history/cell.hpp"
#include "detect/shared_history/ids.hpp"
#include "findings/race.hpp"

namespace anyorder::detect::shared_history {

template <class Step>
class KnownOutcomes {
 public:
  struct Outcome {
    Step by{};                        // as it is by default: empty
    std::uint32_t place_and_bytes{};  // place << 8 | bytes
    Entries before{};
    Entries after{};
  };

  // What an access at this place may have left.
  template <findings::AccessKind kKind>
  [[nodiscard, gnu::always_inline]] Outcome& of(PlaceId place, ByteMask bytes) noexcept {
    const std::size_t kind = kKind == findings::AccessKind::read ? 0 : 1;
    return known_[(std::size_t{place} * 4 + kind * 2 + (bytes > 0xf ? 1 : 0)) % kKnown];
  }
  [[nodiscard, gnu::always_inline]] static bool is_of(const Outcome& outcome, const Step& step, PlaceId place,
                                                      ByteMask bytes, const Entries& before) noexcept {
    return outcome.by == step && outcome.place_and_bytes == (place << 8U | bytes) &&
           outcome.before[0] == before[0] && outcome.before[1] == before[1] && outcome.before[2] == before[2];
  }
  template <findings::AccessKind kKind>
  void add(const Step& by, PlaceId place, ByteMask bytes, const Entries& before,
           const Entries& after) noexcept {
    of<kKind>(place, bytes) = {by, place << 8U | bytes, before, after};
  }

 private:
  static constexpr std::size_t kKnown = 128;
  std::array<Outcome, kKnown> known_{};
};

}  // namespace anyorder::detect::shared_history
