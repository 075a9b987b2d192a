#include "detect/spd3/tree.hpp"

#include <algorithm>

#include "support/check.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect::spd3 {
namespace {

constexpr std::size_t kNeeded = Arena<Node>::bytes_for(kMostNodes) + Arena<Step>::bytes_for(kMostSteps);
constexpr std::size_t kReserved = ANYORDER_TSAN ? kNeeded : std::max(shadow::Reservation::kLarge, kNeeded);

constexpr std::uint32_t kAsync = 1;
constexpr std::uint32_t kFinish = 0;
constexpr std::uint32_t kFirstRoot = std::uint32_t{1} << 1U | kAsync;  // its rank

}  // namespace

Tree::Tree()
    : reservation_(kReserved, "the tree of tasks"),
      nodes_(reservation_.carve(Arena<Node>::bytes_for(kMostNodes)), kMostNodes, "tasks and finishes"),
      steps_(reservation_.carve(Steps::bytes_for(kMostSteps)), kMostSteps, "steps") {
  // The first blocks stay unused but for the top, which zero describes.
  static_cast<void>(nodes_.take_block());
  static_cast<void>(steps_.take_block());
}

NodeId Tree::make(NodeId parent, std::uint32_t rank, std::uint32_t created_at, Stock& stock) {
  NodeId made = stock.reusable;
  if (made != kTop) {
    stock.reusable = nodes_[made].parent;
  } else {
    if (stock.nodes.empty()) stock.nodes = nodes_.take_block();
    made = stock.nodes.next++;
  }
  // A skew-binary number: two jumps of the same length in a row become one.
  const Node& above = nodes_[parent];
  const Node& jump = nodes_[above.jump];
  const bool same = above.depth - jump.depth == jump.depth - nodes_[jump.jump].depth;
  nodes_[made] = {parent, same ? jump.jump : parent, above.depth + 1, rank, 0, kTop, kNoStep, created_at};
  return made;
}

NodeId Tree::begin_root(Stock& stock) {
  const std::uint32_t number = roots_.fetch_add(1, std::memory_order_relaxed) + 1;
  const NodeId root = make(kTop, number << 1U | kAsync, 0, stock);
  // What others have done does not precede it.
  if (number > 1) past_.store(0, std::memory_order_relaxed);
  nodes_[root].scope = root;
  return root;
}

NodeId Tree::make_child_of_scope(NodeId task, std::uint32_t kind, std::uint32_t created_at, Stock& stock) {
  const NodeId scope = nodes_[task].scope;
  const std::uint32_t number = ++nodes_[scope].children & ~kAsked;
  nodes_[task].step = kNoStep;
  return make(scope, number << 1U | kind, created_at, stock);
}

NodeId Tree::create_async(NodeId task, std::uint32_t created_at, Stock& stock) {
  const NodeId child = make_child_of_scope(task, kAsync, created_at, stock);
  nodes_[child].scope = child;
  if (is_first_root(task) && outermost_ == kTop) outermost_ = nodes_[task].scope;
  return child;
}

NodeId Tree::begin_finish(NodeId task, Stock& stock) {
  const NodeId finish = make_child_of_scope(task, kFinish, 0, stock);
  nodes_[task].scope = finish;
  return finish;
}

void Tree::end_finish(NodeId task, NodeId finish, Stock& stock) {
  ANYORDER_CHECK(nodes_[task].scope == finish, "a finish ends within another one");
  nodes_[task].scope = nodes_[finish].parent;
  nodes_[task].step = kNoStep;
  if (is_first_root(task)) {
    if (outermost_ == finish) outermost_ = kTop;
    if (outermost_ == kTop) make_all_past();
  }
  if (nodes_[finish].children == 0) give_back(finish, stock);
}

bool Tree::is_first_root(NodeId task) const noexcept {
  return nodes_[task].parent == kTop && nodes_[task].rank == kFirstRoot;
}

// Not more often than so that of all numbers at most a fourth is given up.
void Tree::make_all_past() noexcept {
  StepId past = past_.load(std::memory_order_relaxed);
  const std::uint64_t taken = steps_.taken();
  if (past == 0 || taken == past || unused_.load(std::memory_order_relaxed) > taken / 4) return;
  // Unless another root has come meanwhile.
  past_.compare_exchange_strong(past, static_cast<StepId>(taken), std::memory_order_relaxed);
}

void Tree::renew(Steps::Block& steps) noexcept {
  unused_.fetch_add(steps.end - steps.next, std::memory_order_relaxed);
  steps = steps_.take_block();
}

void Tree::forget(NodeId task, Stock& stock) {
  if (nodes_[task].children == 0) give_back(task, stock);
}

void Tree::give_back(NodeId node, Stock& stock) noexcept {
  nodes_[node].parent = stock.reusable;
  stock.reusable = node;
}

StepId Tree::try_keep_step_of(NodeId task, Stock& stock) noexcept {
  Node& own = nodes_[task];
  if (own.step == kNoStep && is_usable(stock.steps)) {
    own.step = stock.steps.next++;
    steps_[own.step] = position_of(task);
  }
  return own.step;
}

NodeId Tree::ancestor(NodeId node, std::uint32_t depth) const noexcept {
  while (nodes_[node].depth > depth) {
    const Node& at = nodes_[node];
    node = nodes_[at.jump].depth >= depth ? at.jump : at.parent;
  }
  return node;
}

Branching Tree::find_branching(NodeId a, NodeId b) const noexcept {
  // What a task does with what its creator did before the finish that it is in, and the other way round.
  const Node& above_a = nodes_[nodes_[a].parent];
  const Node& above_b = nodes_[nodes_[b].parent];
  if (above_b.parent == a) return {nodes_[a].depth, 0, above_b.rank};
  if (above_a.parent == b) return {nodes_[b].depth, above_a.rank, 0};
  std::uint32_t rank_a = 0;
  std::uint32_t rank_b = 0;
  // One is brought to just below the depth of the other, so that its last step up is seen.
  if (nodes_[a].depth > nodes_[b].depth) {
    a = ancestor(a, nodes_[b].depth + 1);
    rank_a = nodes_[a].rank;
    a = nodes_[a].parent;
  } else if (nodes_[b].depth > nodes_[a].depth) {
    b = ancestor(b, nodes_[a].depth + 1);
    rank_b = nodes_[b].rank;
    b = nodes_[b].parent;
  }
  if (a == b) return {nodes_[a].depth, rank_a, rank_b};
  // At the same depth jumps have the same length: they meet at the same node, or not at all.
  while (nodes_[a].parent != nodes_[b].parent) {
    const Node& node_a = nodes_[a];
    const Node& node_b = nodes_[b];
    const bool by_jump = node_a.jump != node_b.jump;
    a = by_jump ? node_a.jump : node_a.parent;
    b = by_jump ? node_b.jump : node_b.parent;
  }
  return {nodes_[a].depth - 1, nodes_[a].rank, nodes_[b].rank};
}

}  // namespace anyorder::detect::spd3
