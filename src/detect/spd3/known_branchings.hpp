// How scopes lie to each other, as far as one thread has asked before: what makes the cost of a query that
// comes again independent of the depth of the tree.
//
// A pair of nodes lies the same way for ever, so nothing is ever forgotten but for room. (Nodes that are used
// again were never asked about: Tree::position_of.)
//
// Contract: one thread, one tree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "detect/spd3/tree.hpp"

namespace anyorder::detect::spd3 {

class KnownBranchings {
 public:
  [[nodiscard]] Branching of(const Tree& tree, NodeId a, NodeId b) noexcept {
    if (a == b) return {tree.node(a).depth, 0, 0};
    const std::uint64_t pair = std::uint64_t{a} << 32U | b;
    Known& known = known_[(pair * 0x9e37'79b9'7f4a'7c15U) >> (64U - kBits)];
    if (known.pair != pair) [[unlikely]]
      known = {pair, tree.branching(a, b)};
    return known.branching;
  }

 private:
  struct Known {
    std::uint64_t pair = 0;  // no node is the top
    Branching branching{};
  };
  static constexpr unsigned kBits = 8;
  std::array<Known, std::size_t{1} << kBits> known_{};
};

inline Relation Tree::relation(const Step& a, const Step& b, KnownBranchings& known) const noexcept {
  return relation_of(known.of(*this, a.scope, b.scope), a.position, b.position);
}

inline bool Tree::precedes(const Step& a, const Step& b, KnownBranchings& known) const noexcept {
  const Relation found = relation(a, b, known);
  return !found.parallel && found.a_is_left;
}

}  // namespace anyorder::detect::spd3
