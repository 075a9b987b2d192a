// A pair of an offset-span label, and how two labels are compared.
//
// The paper's pair [o, s] says which branch of an s-way fork a thread is, and how many joins it has made
// since: o grows by s at each. Kept apart, the two need no s: the index is o mod s, the joins are o div s. A
// label is then a sequence of (index, joins), and it shares all but its last pair with the one that it was
// forked from. So a record has an index, its prefix, and how many joins that had made when it forked; the
// joins of the last pair belong to the step.
//
// An owner that creates tasks goes on beside them, until it waits for them: it is a branch as well. Before it
// creates the task of index i it is the owner's branch i; that precedes the branch of the task, and all that
// are created later.
#pragma once

#include <cstdint>

#include "detect/shared_history/order.hpp"

namespace anyorder::detect::offset_span {

using PairId = std::uint32_t;
inline constexpr PairId kNoPair = 0;  // the prefix of roots
// Of a label that precedes whatever comes.
inline constexpr PairId kAncient = ~PairId{0};

// Which branch of a fork: in the order of a serial run, the thread that forks before all of them.
using Branch = std::uint32_t;
inline constexpr Branch kItself = 0;
inline constexpr Branch kFirstOwner = 1;
inline constexpr std::uint32_t kMostIndex = (std::uint32_t{1} << 30U) - 1;
[[nodiscard]] constexpr Branch owner_branch(std::uint32_t index) noexcept { return 2 * index + 1; }
[[nodiscard]] constexpr Branch task_branch(std::uint32_t index) noexcept { return 2 * index + 2; }
[[nodiscard]] constexpr bool is_task(Branch branch) noexcept { return branch != 0 && branch % 2 == 0; }
[[nodiscard]] constexpr std::uint32_t index_of(Branch branch) noexcept { return (branch - 1) / 2; }

struct Pair {
  PairId prefix;
  std::uint32_t joins;  // of the prefix, when it forked
  Branch branch;
  std::uint32_t depth;  // pairs of the label; 1 for a root
  std::uint32_t created_at;
  PairId task;           // the pair with which the task began
  std::uint32_t joined;  // forks of this thread before that many joins are over; grows
  std::uint32_t unused;
};
static_assert(sizeof(Pair) == 32);

// A whole label: its last pair, and the joins of that.
struct Step {
  PairId pair;
  std::uint32_t joins;
  [[nodiscard]] std::uint32_t scope_id() const noexcept { return pair; }
  [[nodiscard]] std::uint32_t position_in_scope() const noexcept { return joins; }
  friend bool operator==(const Step&, const Step&) = default;
};
static_assert(sizeof(Step) == 8);

// Where two labels part: the last pair that they share is at this depth, and each goes on from it after so
// many joins of that pair, by a branch. kItself: it ends there, and the joins are its step's.
struct Parting {
  std::uint32_t depth;
  std::uint32_t joins_a;
  Branch branch_a;
  std::uint32_t joins_b;
  Branch branch_b;
  friend bool operator==(const Parting&, const Parting&) = default;
};

// Lemma 2 and Definition 3. After another number of joins: case 2, the one with fewer precedes. In the same
// fork the left one precedes, unless it is a task: that is concurrent with all that is right of it. The
// thread that forks is left of all its branches: case 1.
[[nodiscard]] inline shared_history::Relation relation_of(Parting parting, std::uint32_t joins_a,
                                                          std::uint32_t joins_b) noexcept {
  if (parting.branch_a != kItself) joins_a = parting.joins_a;
  if (parting.branch_b != kItself) joins_b = parting.joins_b;
  if (joins_a != joins_b) return {false, joins_a < joins_b, parting.depth};
  const bool a_is_left = parting.branch_a <= parting.branch_b;
  const Branch left = a_is_left ? parting.branch_a : parting.branch_b;
  return {parting.branch_a != parting.branch_b && is_task(left), a_is_left, parting.depth};
}

}  // namespace anyorder::detect::offset_span
