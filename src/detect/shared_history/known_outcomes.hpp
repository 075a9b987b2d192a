// What accesses of one step did lately, as far as one thread has seen it: a loop does the same to cell after
// cell. (That a read changed nothing is in events/quick_steps.hpp.)
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

// Steps that precede one step, some of them.
class KnownPreceding {
 public:
  // The step that they precede from now on. What precedes a step precedes those that the order says it goes
  // on in.
  template <class Order>
  [[gnu::always_inline]] void begin(StepId own, const Order& order) noexcept {
    if (of_ != own) move_to(own, order);
  }
  [[nodiscard, gnu::always_inline]] bool has(StepId other) const noexcept {
    return steps_[other % kKnown] == other;
  }
  void add(StepId other) noexcept { steps_[other % kKnown] = other; }

 private:
  template <class Order>
  [[gnu::noinline]] void move_to(StepId own, const Order& order) noexcept {
    if (of_ != kNoStep && order.goes_on_in(of_, own)) {
      add(of_);
    } else {
      steps_ = {};
    }
    of_ = own;
  }

  static constexpr std::size_t kKnown = 32;
  StepId of_ = kNoStep;
  std::array<StepId, kKnown> steps_{};
};

}  // namespace anyorder::detect::shared_history
