#include "detect/offset_span/labels.hpp"

#include <algorithm>
#include <vector>

#include "detect/offset_span/known_partings.hpp"
#include "support/check.hpp"

namespace anyorder::detect::offset_span {
namespace {

constexpr std::size_t reserved_for(std::uint32_t pairs, std::uint32_t steps) {
  const std::size_t needed = Records<Pair>::bytes_for(pairs) + Records<Step>::bytes_for(steps);
  return ANYORDER_TSAN ? needed : std::max(shadow::Reservation::kLarge, needed);
}

}  // namespace

Labels::Labels(Limits limits)
    : limits_(limits),
      reservation_(reserved_for(kMostPairs, shared_history::kMostSteps), "the labels of tasks"),
      pairs_(reservation_, kMostPairs, "label pairs"),
      steps_(reservation_, shared_history::kMostSteps, "labels") {}

Strand* Labels::begin_root(Stock& stock) {
  const std::uint32_t number = roots_.fetch_add(1, std::memory_order_relaxed);
  Strand* const root = strands_.take(stock.strands);
  *root = {};
  root->branch = task_branch(number);
  root->depth = 1;
  root->joins = limits_.first_joins;
  root->innermost = root;
  return root;
}

// Rule 1: the i-th child of a thread with label L has L[i, n].
Strand* Labels::create_async(Strand* task, std::uint32_t created_at, Stock& stock) {
  Strand* owner = task->innermost;
  // A task outside of a finish of its own, which another task waits for: as in a finish that never ends. The
  // same when there are more than an index can count.
  if (owner == task || index_of(owner->branch) == limits_.index) owner = fork(task, stock);
  Strand* const child = strands_.take(stock.strands);
  *child = {};
  child->prefix = owner->prefix;
  child->prefix_joins = owner->prefix_joins;
  child->branch = task_branch(index_of(owner->branch));
  child->depth = owner->depth;
  child->created_at = created_at;
  child->joins = limits_.first_joins;
  child->root = owner->root;
  child->innermost = child;
  // The owner goes on as another branch.
  owner->branch = owner_branch(index_of(owner->branch) + 1);
  owner->pair = kNoPair;
  owner->joins = limits_.first_joins;
  moved(task);
  return child;
}

Strand* Labels::fork(Strand* task, Stock& stock) {
  Strand* const outer = task->innermost;
  if (outer->pair == kNoPair) make_pair(*outer, stock);
  Strand* const finish = strands_.take(stock.strands);
  *finish = {};
  finish->outer = outer;
  finish->prefix = outer->pair;
  finish->prefix_joins = outer->joins;
  finish->branch = kFirstOwner;
  finish->depth = outer->depth + 1;
  finish->joins = limits_.first_joins;
  finish->task = outer == task ? task->pair : outer->task;
  finish->root = outer->root.pair == kNoPair ? Step{outer->pair, outer->joins} : outer->root;
  task->innermost = finish;
  moved(task);
  return finish;
}

// Rule 2: the label becomes what it was at the fork, and its last offset grows by its span.
void Labels::end_finish(Strand* task, Strand* finish, Stock& stock) {
  Strand* inner = task->innermost;
  while (inner != finish) {
    Strand* const outer = inner->outer;
    ANYORDER_CHECK(outer != nullptr, "a finish ends within another one");
    strands_.give_back(inner, stock.strands);
    inner = outer;
  }
  task->innermost = finish->outer;
  strands_.give_back(finish, stock.strands);
  join(task, *task->innermost, stock);
  if (pairs_.blocks_taken() + steps_.blocks_taken() >= limits_.blocks) forget_if_all_precedes(task, stock);
}

void Labels::join(Strand* task, Strand& strand, Stock& stock) {
  ++strand.joins;
  if (strand.pair != kNoPair) {
    constexpr std::size_t kJoinedWord = offsetof(Pair, joined) / sizeof(std::uint64_t);
    static_assert(offsetof(Pair, joined) % sizeof(std::uint64_t) == 0);
    pairs_.set_word(strand.pair, kJoinedWord, strand.joins);
  }
  moved(task);
  // No more of them can be counted: the label has one pair more from here on.
  if (strand.joins == limits_.joins) static_cast<void>(fork(task, stock));
}

void Labels::forget(Strand* task, Stock& stock) {
  for (Strand* inner = task->innermost; inner != task;) {
    Strand* const outer = inner->outer;
    strands_.give_back(inner, stock.strands);
    inner = outer;
  }
  strands_.give_back(task, stock.strands);
}

Records<Pair>::Membership Labels::membership(const Strand& strand) noexcept {
  const Step below{strand.prefix, strand.prefix_joins};
  return {below, strand.root.pair == kNoPair ? below : strand.root};
}

// The steps of a thread that has run many loops are over with the next one; those of others, with the fork
// that they are a branch of.
Records<Step>::Membership Labels::membership_of_step(const Strand* task) noexcept {
  constexpr std::uint32_t kMany = 8;
  const auto [below, root] = membership(*task->innermost);
  return {task->position.joins < kMany ? below : task->position, root};
}

void Labels::store_pair(Strand& strand, PairId id) noexcept {
  const PairId task = is_task(strand.branch) ? id : strand.task;
  pairs_.store(id, {strand.prefix, strand.prefix_joins, strand.branch, strand.depth, strand.created_at, task,
                    strand.joins, 0});
  strand.pair = id;
}

void Labels::make_pair(Strand& strand, Stock& stock) {
  const auto over = [this](const Step& step) { return this->over(step); };
  store_pair(strand, pairs_.take(membership(strand), stock.pairs, over));
}

bool Labels::try_place(Strand* task, Stock& stock) noexcept {
  Strand& at = *task->innermost;
  if (at.pair == kNoPair) {
    const PairId id = pairs_.try_take(membership(at), stock.pairs);
    if (id == kNoPair) return false;
    store_pair(at, id);
  }
  task->position = {at.pair, at.joins};
  return true;
}

void Labels::place(Strand* task, Stock& stock) {
  Strand& at = *task->innermost;
  if (at.pair == kNoPair) make_pair(at, stock);
  task->position = {at.pair, at.joins};
}

StepId Labels::try_keep_step_of(Strand* task, Stock& stock) noexcept {
  if (task->step == kNoStep) {
    task->step = steps_.try_take(membership_of_step(task), stock.steps);
    if (task->step != kNoStep) steps_.store(task->step, task->position);
  }
  return task->step;
}

StepId Labels::keep_step_of(Strand* task, Stock& stock) {
  if (task->step == kNoStep) {
    const auto over = [this](const Step& step) { return this->over(step); };
    task->step = steps_.take(membership_of_step(task), stock.steps, over);
    steps_.store(task->step, task->position);
  }
  return task->step;
}

shared_history::TaskNumber Labels::number_of(Strand* task, Stock& stock) {
  if (task->pair == kNoPair) make_pair(*task, stock);
  return task->pair;
}

Pair Labels::pair(PairId id) const noexcept {
  Pair found{};
  while (id != kNoPair && id != kAncient) {
    const Step instead = pairs_.look(id, found);
    if (instead.pair == kNoPair) return found;
    id = instead.pair;
  }
  return {};
}

std::optional<Step> Labels::over(const Step& step) const noexcept {
  if (step.pair == kNoPair || limits_.keeps_all) return std::nullopt;
  Pair found{};
  const Step instead = pairs_.look(step.pair, found);
  if (instead.pair != kNoPair) return instead;
  if (found.joined <= step.joins) return std::nullopt;
  return step;
}

// --- Comparison --------------------------------------------------------------------------------------------

// Where the record is gone, the way comes from a fork that is over: after it that thread has made more joins,
// so that the branch does not matter to whoever asks for the order.
void Labels::find(Side& side) const noexcept {
  while (side.id != kNoPair && side.id != kAncient) {
    const Step instead = pairs_.look(side.id, side.pair);
    if (instead.pair == kNoPair) return;
    side = {instead.pair, {}, instead.joins, kFirstOwner, true};
  }
  side.pair = {};
}

Labels::Side Labels::side_of(PairId id) const noexcept {
  Side side{id, {}, 0, kItself, false};
  find(side);
  return side;
}

void Labels::go_up(Side& side) const noexcept {
  side = {side.pair.prefix, {}, side.pair.joins, side.pair.branch, false};
  find(side);
}

void Labels::meet(Side& a, Side& b) const noexcept {
  while (a.id != b.id && a.id != kAncient && b.id != kAncient) go_up(a.pair.depth >= b.pair.depth ? a : b);
}

Parting Labels::parting(PairId first, PairId second) const noexcept {
  Side a = side_of(first);
  Side b = side_of(second);
  meet(a, b);
  // An ancient one precedes the other: as before a first join.
  if (a.id == kAncient || b.id == kAncient) {
    const bool after_a = a.id == kAncient;
    const bool after_b = b.id == kAncient;
    return {0, after_a ? 0U : 1U, kFirstOwner, after_b ? 0U : 1U, kFirstOwner};
  }
  return {a.pair.depth, a.joins, a.branch, b.joins, b.branch};
}

Parting Labels::parting(PairId first, PairId second, KnownPartings& known) const noexcept {
  constexpr std::uint32_t kShort = 3;
  Side a = side_of(first);
  Side b = side_of(second);
  if (a.id == kAncient || b.id == kAncient || std::max(a.pair.depth, b.pair.depth) <= kShort) {
    return parting(first, second);
  }
  // The longer one without its last pair, or both. What stands for one that is gone is shorter already.
  const auto shorten = [](Side& side) {
    side = {side.pair.prefix, {}, side.pair.joins, side.pair.branch, false};
  };
  const std::uint32_t depth_a = a.pair.depth;
  const std::uint32_t depth_b = b.pair.depth;
  const bool cut_a = !a.is_gone && depth_a >= depth_b;
  const bool cut_b = !b.is_gone && depth_b >= depth_a;
  if (cut_a) shorten(a);
  if (cut_b) shorten(b);
  Parting parting{depth_a - (cut_a ? 1 : 0), 0, kItself, 0, kItself};
  if (a.id != b.id) parting = known.of_prefixes(*this, a.id, b.id);
  if (parting.branch_a == kItself) {
    parting.joins_a = a.joins;
    parting.branch_a = a.branch;
  }
  if (parting.branch_b == kItself) {
    parting.joins_b = b.joins;
    parting.branch_b = b.branch;
  }
  return parting;
}

bool Labels::precedes(const Step& a, const Step& b, KnownPartings& known) const noexcept {
  Side side_a = side_of(a.pair);
  Side side_b = side_of(b.pair);
  if (side_a.is_gone || side_b.is_gone) {
    meet(side_a, side_b);
    // What stands for a record that is gone says of its joins that there were no more.
    if (side_a.is_gone) return true;
    if (side_b.is_gone) return (side_a.branch == kItself ? a.joins : side_a.joins) <= side_b.joins;
  }
  const Relation found = relation(a, b, known);
  return !found.parallel && found.a_is_left;
}

// --- What precedes everything ------------------------------------------------------------------------------

// If there is but one root, and no task in any of its open finishes, then all that was done precedes all that
// comes, and no label is needed but the root's own.
void Labels::forget_if_all_precedes(Strand* task, Stock& stock) {
  if (task->prefix != kNoPair || roots_.load(std::memory_order_relaxed) != 1 || limits_.keeps_all) return;
  std::vector<Strand*> open;
  for (Strand* strand = task->innermost; strand != nullptr; strand = strand->outer) {
    if (strand->outer != nullptr && strand->branch != kFirstOwner) return;
    open.push_back(strand);
  }
  pairs_.forget_all();
  steps_.forget_all();
  for (std::size_t i = open.size(); i-- != 0;) {
    Strand& strand = *open[i];
    strand.pair = kNoPair;
    if (strand.outer != nullptr) {
      strand.prefix = strand.outer->pair;
      strand.task = strand.outer->outer == nullptr ? strand.outer->pair : strand.outer->task;
      strand.root =
          strand.outer->outer == nullptr ? Step{strand.outer->pair, strand.outer->joins} : strand.outer->root;
    }
    if (i != 0) make_pair(strand, stock);
  }
}

}  // namespace anyorder::detect::offset_span
