// What accesses of one step did lately, as far as one thread has seen it: a loop does the same to cell after
// cell.
//
// What an access does to a cell follows from the entries, the bytes, the step and the place alone
// (rules.hpp), and steps lie to each other the same way for ever: so nothing is ever forgotten but for room.
// That a read changes nothing does not even depend on places.
//
// Contract: one thread, one order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "detect/shared_history/cell.hpp"
#include "detect/shared_history/ids.hpp"
#include "detect/shared_history/rules.hpp"

namespace anyorder::detect::shared_history {

template <class Step>
class KnownOutcomes {
 public:
  struct Outcome {
    Step by{};                        // as it is by default: empty
    std::uint32_t place_and_bytes{};  // place << 8 | bytes
    bool changes{};
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
    return outcome.by == step && outcome.place_and_bytes == (place << 8U | bytes) && outcome.before == before;
  }
  // Whether it is known that a read of these bytes, wherever it is made, changes nothing.
  [[nodiscard, gnu::always_inline]] bool knows_quiet(const Step& step, ByteMask bytes,
                                                     const Entries& entries) const noexcept {
    const Quiet& quiet = quiet_[slot_of(bytes, entries)];
    return quiet.by == step && quiet.bytes == bytes && entries[0].like(quiet.entries[0]) &&
           entries[1].like(quiet.entries[1]) && entries[2].like(quiet.entries[2]);
  }

  template <findings::AccessKind kKind>
  void add(const Step& by, PlaceId place, ByteMask bytes, Effect effect, const Entries& before,
           const Entries& after) noexcept {
    if (kKind == findings::AccessKind::read && effect == Effect::none) {
      quiet_[slot_of(bytes, before)] = {by, bytes, before};
    } else {
      of<kKind>(place, bytes) = {by, place << 8U | bytes, effect == Effect::changed, before, after};
    }
  }

 private:
  struct Quiet {
    Step by{};
    ByteMask bytes = 0;
    Entries entries{};
  };
  static std::size_t slot_of(ByteMask bytes, const Entries& entries) noexcept {
    return (std::size_t{entries[1].step()} * 2 + (bytes > 0xf ? 1 : 0)) % kQuiet;
  }

  static constexpr std::size_t kKnown = 128;
  static constexpr std::size_t kQuiet = 16;
  std::array<Outcome, kKnown> known_{};
  std::array<Quiet, kQuiet> quiet_{};
};

}  // namespace anyorder::detect::shared_history
