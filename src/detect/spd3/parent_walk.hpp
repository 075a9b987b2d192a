// The paper's LCA and Algorithm 3, by a walk along the parents (SPD3 §5.2): what the queries of Tree are
// checked against, and measured beside. Its cost is the depth of the tree.
#pragma once

#include "detect/spd3/tree.hpp"

namespace anyorder::detect::spd3 {

[[nodiscard]] inline Branching branching_by_walk(const Tree& tree, NodeId a, NodeId b) noexcept {
  std::uint32_t rank_a = 0;
  std::uint32_t rank_b = 0;
  const auto up = [&tree](NodeId& node, std::uint32_t& rank) {
    rank = tree.node(node).rank;
    node = tree.node(node).parent;
  };
  while (tree.node(a).depth > tree.node(b).depth) up(a, rank_a);
  while (tree.node(b).depth > tree.node(a).depth) up(b, rank_b);
  while (a != b) {
    up(a, rank_a);
    up(b, rank_b);
  }
  return {tree.node(a).depth, rank_a, rank_b};
}

}  // namespace anyorder::detect::spd3
