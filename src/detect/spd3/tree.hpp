// The Dynamic Program Structure Tree (SPD3 §3), built by all workers at once: one node for each async and
// each finish, and a record for each step that a location remembers. README.md has the sizes and the proof.
//
// Children of a node are made by one task, in order, so their numbers need no atomic operation; a node's
// place in the tree never changes once it is made. Siblings are numbered from 1; a step's position is the
// number of siblings before it: it is left of the sibling `position + 1` and right of those up to `position`.
//
// Contract: the operations on a task come from the thread that runs it, and before it begins from its
// creator's. Queries may come from any thread, about what it has learnt of by the events or by a cell.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "detect/shared_history/order.hpp"
#include "detect/spd3/arena.hpp"
#include "detect/spd3/ids.hpp"
#include "shadow/reservation.hpp"

namespace anyorder::detect::spd3 {

struct Node {
  // For good:
  NodeId parent;
  NodeId jump;          // an ancestor, by the rule of Tree::make; the way up in O(log depth)
  std::uint32_t depth;  // 0: the top
  std::uint32_t rank;   // number among its siblings << 1 | is async; 0: the top
  // Of the task that runs there, or is about to; of nobody else's business:
  std::uint32_t children;  // made so far; and whether somebody may refer to the node
  NodeId scope;            // of a task: its innermost open finish, or itself
  StepId step;             // of a task: its current step, if that is kept
  std::uint32_t created_at;
};
static_assert(sizeof(Node) == 32);

struct Step {
  NodeId scope;  // the parent in the tree
  std::uint32_t position;
  [[nodiscard]] std::uint32_t scope_id() const noexcept { return scope; }
  [[nodiscard]] std::uint32_t position_in_scope() const noexcept { return position; }
  friend bool operator==(const Step&, const Step&) = default;
};
static_assert(sizeof(Step) == 8);

// How two scopes lie to each other: the depth of their lowest common ancestor, and the ranks of its children
// on the way to each. Rank 0: the scope is the lowest common ancestor itself.
struct Branching {
  std::uint32_t depth;
  std::uint32_t rank_a;
  std::uint32_t rank_b;
  friend bool operator==(const Branching&, const Branching&) = default;
};

// How two steps do; `parallel` is DMHP.
using shared_history::Relation;

class KnownBranchings;

class Tree {
  // In small blocks: what is left of them is given up when all that was precedes all that comes.
  using Steps = Arena<spd3::Step, 1024>;

 public:
  // As shared_history::Order has them. A slot has the number of the task's node; that of a finish likewise.
  using Task = NodeId;
  using Finish = NodeId;
  using Step = spd3::Step;
  using Known = KnownBranchings;
  static NodeId task_in(const void* slot) noexcept {
    return static_cast<NodeId>(reinterpret_cast<std::uintptr_t>(slot));
  }
  static NodeId finish_in(const void* slot) noexcept { return task_in(slot); }
  static void* to_slot(NodeId node) noexcept { return reinterpret_cast<void*>(std::uintptr_t{node}); }

  // What a thread has of the tree for itself.
  struct Stock {
    Arena<Node>::Block nodes;
    Steps::Block steps;
    NodeId reusable = kTop;  // given back, the next one in `parent`; kTop: none
  };

  Tree();

  // A task without a creator; parallel to all other roots. It is its own implicit finish.
  [[nodiscard]] NodeId begin_root(Stock& stock);
  [[nodiscard]] NodeId create_async(NodeId task, std::uint32_t created_at, Stock& stock);
  // The task is inside from then on.
  [[nodiscard]] NodeId begin_finish(NodeId task, Stock& stock);
  void end_finish(NodeId task, NodeId finish, Stock& stock);
  // Nobody names the task any more.
  void forget(NodeId task, Stock& stock);
  // The task goes on in a new step, although it made no task operation.
  void next_step(NodeId task, Stock& /*stock*/) noexcept {
    ++nodes_[nodes_[task].scope].children;
    nodes_[task].step = kNoStep;
  }

  // A step takes no memory until it is kept.
  [[nodiscard]] static constexpr bool can_place(NodeId /*task*/, const Stock& /*stock*/) noexcept {
    return true;
  }
  static void place(NodeId /*task*/, const Stock& /*stock*/) noexcept {}
  // Where the task is: as a step that need not be kept. Asking makes its scope stay.
  [[nodiscard]] Step position_of(NodeId task) noexcept {
    const NodeId scope = nodes_[task].scope;
    std::uint32_t& children = nodes_[scope].children;
    if ((children & kAsked) == 0) children |= kAsked;
    return {scope, children & ~kAsked};
  }
  [[nodiscard]] StepId kept_step_of(NodeId task) const noexcept { return nodes_[task].step; }
  [[nodiscard]] shared_history::StepNumbers step_numbers() const noexcept {
    static_assert(sizeof(past_) == sizeof(StepId) && std::atomic<StepId>::is_always_lock_free);
    return {reinterpret_cast<std::uintptr_t>(&nodes_[0].step), std::countr_zero(sizeof(Node)),
            reinterpret_cast<const StepId*>(&past_)};
  }
  // The number of the task's current step. Nothing, of the first: `stock` has none left.
  [[nodiscard]] StepId try_keep_step_of(NodeId task, Stock& stock) noexcept;
  [[nodiscard]] StepId keep_step_of(NodeId task, Stock& stock) {
    refill(stock);
    return try_keep_step_of(task, stock);
  }
  void refill(Stock& stock) {
    if (!is_usable(stock.steps)) renew(stock.steps);
  }

  [[nodiscard]] const Node& node(NodeId id) const noexcept { return nodes_[id]; }
  [[nodiscard]] const Step& step(StepId id) const noexcept { return steps_[id]; }
  [[nodiscard]] bool goes_on_in(StepId id, StepId later) const noexcept {
    return steps_[id].scope == steps_[later].scope && steps_[id].position < steps_[later].position;
  }
  [[nodiscard]] StepId past() const noexcept { return past_.load(std::memory_order_relaxed); }
  [[nodiscard]] static NodeId number_of(NodeId task, const Stock& /*stock*/) noexcept { return task; }
  [[nodiscard]] NodeId task_of(const Step& step) const noexcept { return task_of(step.scope); }
  [[nodiscard]] NodeId creator_of(NodeId task) const noexcept { return task_of(nodes_[task].parent); }
  [[nodiscard]] std::uint32_t created_at(NodeId task) const noexcept { return nodes_[task].created_at; }
  // The task that a node is part of.
  [[nodiscard]] NodeId task_of(NodeId scope) const noexcept {
    while (!is_task(scope)) scope = nodes_[scope].parent;
    return scope;
  }
  [[nodiscard]] bool is_task(NodeId id) const noexcept { return (nodes_[id].rank & 1U) != 0; }

  [[nodiscard]] Branching branching(NodeId a, NodeId b) const noexcept {
    const Node& node_a = nodes_[a];
    const Node& node_b = nodes_[b];
    if (a == b) return {node_a.depth, 0, 0};
    if (node_a.parent == node_b.parent) return {node_a.depth - 1, node_a.rank, node_b.rank};
    if (node_b.parent == a) return {node_a.depth, 0, node_b.rank};
    if (node_a.parent == b) return {node_b.depth, node_a.rank, 0};
    return find_branching(a, b);
  }

  [[nodiscard, gnu::always_inline]] inline Relation relation(const Step& a, const Step& b,
                                                             KnownBranchings& known) const noexcept;
  [[nodiscard]] inline bool precedes(const Step& a, const Step& b, KnownBranchings& known) const noexcept;

  struct Size {
    std::uint64_t nodes;
    std::uint64_t steps;
    [[nodiscard]] std::uint64_t bytes() const noexcept { return nodes * sizeof(Node) + steps * sizeof(Step); }
  };
  // In blocks that threads have taken.
  [[nodiscard]] Size size() const noexcept { return {nodes_.taken(), steps_.taken()}; }

 private:
  // In `children`: a position in this scope was asked for.
  static constexpr std::uint32_t kAsked = std::uint32_t{1} << 31U;

  [[nodiscard]] NodeId make(NodeId parent, std::uint32_t rank, std::uint32_t created_at, Stock& stock);
  [[nodiscard]] NodeId make_child_of_scope(NodeId task, std::uint32_t kind, std::uint32_t created_at,
                                           Stock& stock);
  void give_back(NodeId node, Stock& stock) noexcept;

  [[nodiscard]] bool is_usable(const Steps::Block& steps) const noexcept {
    return !steps.empty() && steps.next >= past();
  }
  [[gnu::noinline]] void renew(Steps::Block& steps) noexcept;
  [[nodiscard]] bool is_first_root(NodeId task) const noexcept;
  void make_all_past() noexcept;

  [[nodiscard]] Branching find_branching(NodeId a, NodeId b) const noexcept;
  // The ancestor at a depth that is not greater.
  [[nodiscard]] NodeId ancestor(NodeId node, std::uint32_t depth) const noexcept;

  // One, of the size by which shadow memory knows that it is not the program's.
  shadow::Reservation reservation_;
  Arena<Node> nodes_;
  Steps steps_;
  std::atomic<std::uint32_t> roots_{0};

  // What precedes all that comes. When a finish of the only root ends, and there are no tasks in those around
  // it, all steps so far do: whatever runs later is created later. They are those up to a number, as threads
  // take the next ones from new blocks; a task that is created later is begun after this was stored.
  std::atomic<StepId> past_{1};           // steps below it; 0: there are several roots
  std::atomic<std::uint64_t> unused_{0};  // numbers that were given up
  NodeId outermost_ = kTop;  // of the first root's open scopes, the outermost one with tasks; that root's own
};

// Two steps in scopes that lie so to each other. SPD3 Theorem 1: the left one's ancestor below the lowest
// common one decides.
[[nodiscard]] inline Relation relation_of(const Branching& scopes, std::uint32_t position_a,
                                          std::uint32_t position_b) noexcept {
  const std::uint32_t sibling_a = scopes.rank_a >> 1U;
  const std::uint32_t sibling_b = scopes.rank_b >> 1U;
  bool a_is_left = false;
  if (scopes.rank_a != 0 && scopes.rank_b != 0) {
    a_is_left = sibling_a < sibling_b;
  } else if (scopes.rank_b != 0) {
    a_is_left = position_a < sibling_b;
  } else if (scopes.rank_a != 0) {
    a_is_left = sibling_a <= position_b;
  } else {
    a_is_left = position_a <= position_b;
  }
  const std::uint32_t left = a_is_left ? scopes.rank_a : scopes.rank_b;  // a step's is 0: no async
  return {(left & 1U) != 0, a_is_left, scopes.depth};
}

}  // namespace anyorder::detect::spd3
