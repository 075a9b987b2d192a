// What accesses of one step did lately, as far as one thread has seen it: a loop does the same to cell after
// cell.
//
// What an access does to a cell follows from the entries, the bytes, the step and the place alone
// (rules.hpp), and steps lie to each other the same way for ever: so nothing is ever forgotten but for room.
// That a read changes nothing does not even depend on places, nor on which step has written, if that precedes
// all that are not over.
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
    return outcome.by == step && outcome.place_and_bytes == (place << 8U | bytes) &&
           outcome.before[0] == before[0] && outcome.before[1] == before[1] && outcome.before[2] == before[2];
  }
  // Whether it is known that a read of these bytes, wherever it is made, changes nothing.
  template <class Order>
  [[nodiscard, gnu::always_inline]] bool knows_quiet(const Step& step, ByteMask bytes, const Entries& entries,
                                                     const Order& order) const noexcept {
    // With no past writer the entries are kept as they are.
    return has_quiet(step, bytes, entries[0], entries[1], entries[2]) ||
           has_quiet(step, bytes, without_past_writer(entries[0], order),
                     without_past_writer(entries[1], order), without_past_writer(entries[2], order));
  }

  template <findings::AccessKind kKind, class Order>
  void add(const Step& by, PlaceId place, ByteMask bytes, Effect effect, const Entries& before,
           const Entries& after, const Order& order) noexcept {
    if (kKind == findings::AccessKind::read && effect == Effect::none) {
      const Entry seen0 = without_past_writer(before[0], order);
      const Entry seen1 = without_past_writer(before[1], order);
      const Entry seen2 = without_past_writer(before[2], order);
      quiet_[slot_of(bytes, seen0, seen1, seen2)] = {by, bytes, {seen0, seen1, seen2}};
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
  // One by one, so that all stays in registers.
  [[nodiscard, gnu::always_inline]] bool has_quiet(const Step& step, ByteMask bytes, Entry first,
                                                   Entry second, Entry third) const noexcept {
    const Quiet& quiet = quiet_[slot_of(bytes, first, second, third)];
    return quiet.by == step && quiet.bytes == bytes && first.like(quiet.entries[0]) &&
           second.like(quiet.entries[1]) && third.like(quiet.entries[2]);
  }
  template <class Order>
  [[gnu::always_inline]] static Entry without_past_writer(Entry entry, const Order& order) noexcept {
    return entry.writes() && order.is_past(entry.step()) ? entry.of_any_step() : entry;
  }
  [[gnu::always_inline]] static std::size_t slot_of(ByteMask bytes, Entry first, Entry second,
                                                    Entry third) noexcept {
    // The same ones in another order have another slot: a loop may meet both in turns.
    const std::size_t steps =
        std::size_t{first.step()} + std::size_t{second.step()} * 3 + std::size_t{third.step()} * 5;
    return (steps * 2 + (bytes > 0xf ? 1 : 0)) % kQuiet;
  }

  static constexpr std::size_t kKnown = 128;
  static constexpr std::size_t kQuiet = 256;
  std::array<Outcome, kKnown> known_{};
  std::array<Quiet, kQuiet> quiet_{};
};

}  // namespace anyorder::detect::shared_history
