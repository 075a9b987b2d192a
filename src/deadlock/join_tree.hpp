// The join tree: what a task has learnt by joining others, as a list of what each of them had learnt.
//
// A node stands for one join: the futures that the joined task had created, the list of its own joins, and
// the joins that came before. Nodes are immutable and counted; lists share their tails, and trees of many
// tasks share their branches. Nodes are freed in a loop, not by recursion: chains may be a million long.
//
// Joins are numbered: those of one task upwards, and no two tasks have the same numbers. A timed set has the
// number of the join by which it was learnt last. Whether that join is in a list, the list's first node
// tells: if the number is one of its task's, and not above its own. So a query needs no search where it is
// made by the task that joined the creator last, or by one that was born of it since.
//
// Contract: any thread may read what it holds a reference to, and change counts.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "deadlock/timed_set.hpp"

namespace anyorder::deadlock {

struct JoinNode {
  Snapshot forks;             // of the joined task at its end; holds a reference
  JoinNode* inner = nullptr;  // its joins; holds a reference
  JoinNode* older = nullptr;  // what the joining task had joined before; holds a reference
  std::uint32_t length = 1;   // of the list from here on
  std::atomic<std::uint32_t> references{1};
  std::uint64_t number = 0;  // of the join, not below that of any that came before; 0: of no task's list
};
static_assert(sizeof(JoinNode) == 48);

inline void add_reference(JoinNode* list) noexcept {
  if (list != nullptr) list->references.fetch_add(1, std::memory_order_relaxed);
}
// Of a list that there is.
void drop_node_reference(JoinNode* list) noexcept;
inline void drop_reference(JoinNode* list) noexcept {
  if (list != nullptr) drop_node_reference(list);
}

// Whether the node can still tell anything to anybody.
[[nodiscard]] inline bool is_of_use(const Snapshot& forks, const JoinNode* joins) noexcept {
  return joins != nullptr || (forks.set != nullptr && forks.set->has_elements());
}

// A list with one more join in front. Takes over the reference to `older`, and takes its own to the rest.
[[nodiscard]] JoinNode* push(const Snapshot& forks, JoinNode* inner, JoinNode* older);

// The same, as the next join of the task whose list this is.
[[nodiscard]] JoinNode* push_join(const Snapshot& forks, JoinNode* inner, JoinNode* older);

// The list without what is of no use any more and without what it has twice. Takes over the reference to
// `list`. In time proportional to its length: what is inside its nodes is left as it is, or dropped as a
// whole.
[[nodiscard]] JoinNode* pruned(JoinNode* list);

// A search for one label through one list after another, depth first, which visits no node twice.
class TreeSearch {
 public:
  explicit TreeSearch(Snapshot label) noexcept : label_(label) {}
  TreeSearch(const TreeSearch&) = delete;
  TreeSearch& operator=(const TreeSearch&) = delete;
  ~TreeSearch() {
    if (visited_ != nullptr) forget_visits();
  }

  // Whether the future was added to the set before this time.
  [[nodiscard]] bool is_in(const Snapshot& snapshot) const noexcept {
    return snapshot.set == label_.set && label_.time < snapshot.time;
  }
  [[nodiscard]] bool is_in(const JoinNode* list);

  // All nodes that were looked at.
  [[nodiscard]] std::size_t visits() const noexcept { return visits_; }

 private:
  struct Visited;
  [[nodiscard]] bool is_first_visit(const JoinNode& node);
  void forget_visits() noexcept;

  Snapshot label_;
  std::size_t visits_ = 0;
  Visited* visited_ = nullptr;  // made when there is something to be remembered
};

}  // namespace anyorder::deadlock
