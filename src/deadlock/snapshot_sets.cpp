#include "deadlock/snapshot_sets.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "support/check.hpp"

namespace anyorder::deadlock {

SnapshotSets::Task::~Task() {
  if (label.set != nullptr) label.set->forget_element();
  if (born.set != nullptr) born.set->drop_reference();
  drop_reference(born_joins);
  drop_learnt(*this);
}

void SnapshotSets::drop_learnt(Task& task) {
  if (task.own != nullptr) std::exchange(task.own, nullptr)->drop_reference();
  task.forks = 0;
  drop_reference(std::exchange(task.joins, nullptr));
}

void SnapshotSets::inherit(const Task& from, Task& child) {
  child.born = from.born;
  if (child.born.set != nullptr) child.born.set->add_reference();
  child.born_joins = from.born_joins;
  add_reference(child.born_joins);
  child.above = from.above;
  if (child.above != nullptr) child.above->references.fetch_add(1, std::memory_order_relaxed);
}

// The order is the rule: with the child in its own snapshot it could wait for itself.
void SnapshotSets::fork(Task& parent, Task& child, bool is_future) {
  if (!is_of_use(learnt_forks(parent), parent.joins)) {
    inherit(parent, child);
  } else {
    if (parent.own != nullptr && parent.own->has_elements()) {
      child.born = learnt_forks(parent);
      child.born.set->add_reference();
    }
    child.born_joins = parent.joins;
    add_reference(child.born_joins);
    child.above = &parent;
    parent.references.fetch_add(1, std::memory_order_relaxed);
  }
  if (!is_future) return;
  // A destructor may create tasks when its task has ended, of which those know nothing that have joined it:
  // the set that they were told of stays as it was.
  if (parent.own != nullptr && parent.own->last_join() != 0) {
    learn(parent, learnt_forks(parent), nullptr);
    std::exchange(parent.own, nullptr)->drop_reference();
    parent.forks = 0;
  }
  if (parent.own == nullptr) parent.own = TimedSet::make();
  ANYORDER_CHECK(parent.forks != std::numeric_limits<TimedSet::Time>::max(),
                 "four billion futures of one task");
  parent.own->add_element();
  child.label = {parent.own, parent.forks};
  ++parent.forks;
}

SnapshotSets::Answer SnapshotSets::visits(const Task& task, const Task& target) {
  TreeSearch search(target.label);
  if (search.is_in(learnt_forks(task))) return {true, 1};
  if (task.joins != nullptr && search.is_in(task.joins)) return {true, 1 + search.visits()};
  std::size_t tasks = 1;
  for (const Task* born = &task; born != nullptr; born = born->above) {
    ++tasks;
    if (search.is_in(born->born) || (born->born_joins != nullptr && search.is_in(born->born_joins))) {
      return {true, tasks + search.visits()};
    }
  }
  return {false, tasks + search.visits()};
}

void SnapshotSets::learn(Task& task, const Snapshot& forks, JoinNode* joins) {
  if (!is_of_use(forks, joins)) return;
  // A get that is repeated tells nothing new.
  if (task.joins != nullptr && task.joins->forks.set == forks.set && task.joins->inner == joins) return;
  task.joins = push_join(forks, joins, task.joins);
  if (task.joins->length < task.prune_at) return;
  task.joins = pruned(task.joins);
  task.prune_at = std::max(kFirstPrune, task.joins == nullptr ? 0 : 2 * task.joins->length);
}

void SnapshotSets::join(Task& task, const Task& target) { learn(task, learnt_forks(target), target.joins); }

bool SnapshotSets::has_learnt(Task& task) {
  if (task.joins != nullptr) task.joins = pruned(task.joins);
  return is_of_use(learnt_forks(task), task.joins);
}

void SnapshotSets::end(Task& task, Finish& finish) {
  JoinNode* const node = push(learnt_forks(task), task.joins, nullptr);
  node->older = finish.learnt.load(std::memory_order_acquire);
  do {
    node->length = node->older == nullptr ? 1 : node->older->length + 1;
  } while (!finish.learnt.compare_exchange_weak(node->older, node, std::memory_order_acq_rel,
                                                std::memory_order_acquire));
}

void SnapshotSets::finish_end(Task& owner, Finish& finish) {
  JoinNode* const learnt = finish.learnt.exchange(nullptr, std::memory_order_acquire);
  // One by one, so that each can go when nobody can ask for it any more.
  for (const JoinNode* node = learnt; node != nullptr; node = node->older)
    learn(owner, node->forks, node->inner);
  drop_reference(learnt);
}

void SnapshotSets::next_index(Task& loop, Finish& finish) {
  end(loop, finish);
  drop_learnt(loop);
  loop.prune_at = kFirstPrune;
}

void SnapshotSets::split(const Task& loop, Task& rest) { inherit(loop, rest); }

void SnapshotSets::forget(Task& task) {
  drop_learnt(task);
  if (task.label.set != nullptr) std::exchange(task.label.set, nullptr)->forget_element();
}

}  // namespace anyorder::deadlock
