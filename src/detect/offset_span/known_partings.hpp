// Where labels part, as far as one thread has asked before: what makes the cost of a query that comes again
// independent of the depth of the nesting.
//
// Two labels part at the same place for ever, so nothing is ever forgotten but for room. And tasks of two
// loops part where the loops do: so what is found for one pair of tasks is found for all.
//
// Contract: one thread, one Labels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "detect/offset_span/labels.hpp"

namespace anyorder::detect::offset_span {

class KnownPartings {
 public:
  // Of two different pairs.
  [[nodiscard]] const Parting& of(const Labels& labels, PairId a, PairId b) noexcept {
    const std::uint64_t both = both_of(a, b);
    Known& known = known_[slot_of(both)];
    if (known.both != both) [[unlikely]]
      known = {both, labels.parting(a, b, *this)};
    return known.parting;
  }
  // The same, with all of the way where it is not known.
  [[nodiscard]] const Parting& of_prefixes(const Labels& labels, PairId a, PairId b) noexcept {
    const std::uint64_t both = both_of(a, b);
    Known& known = prefixes_[slot_of(both) % prefixes_.size()];
    if (known.both != both) [[unlikely]]
      known = {both, labels.parting(a, b)};
    return known.parting;
  }

 private:
  struct Known {
    std::uint64_t both = 0;
    Parting parting{};
  };
  static std::uint64_t both_of(PairId a, PairId b) noexcept { return std::uint64_t{a} << 32U | b; }
  static std::size_t slot_of(std::uint64_t both) noexcept {
    return (both * 0x9e37'79b9'7f4a'7c15U) >> (64U - kBits);
  }
  static constexpr unsigned kBits = 8;
  std::array<Known, std::size_t{1} << kBits> known_{};
  std::array<Known, 32> prefixes_{};
};

inline Relation Labels::relation(const Step& a, const Step& b, KnownPartings& known) const noexcept {
  // One thread's: they do not part.
  if (a.pair == b.pair) return {false, a.joins <= b.joins, ~std::uint32_t{0}};
  return relation_of(known.of(*this, a.pair, b.pair), a.joins, b.joins);
}

}  // namespace anyorder::detect::offset_span
