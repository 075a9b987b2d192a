// The dynamic task reachability graph: which tasks precede the one that runs. Disjoint sets for tree joins,
// interval labels of the spawn tree, non-tree predecessors, lowest significant ancestors (DTRG §4.1).
//
// Contract: one thread; the events come in serial depth-first order: of a task only that runs, which is the
// one created last that has not ended, is something created, got or joined. No call recurses, however deep
// the tasks are nested.
//
// Invariants: a task that has not ended is the representative of its set, since only the running task takes
// others in. So the representative of a set is always the task nearest to the root, whose label, parent and
// lsa are the set's. A label of a task that runs ends with a temporary value, higher than all final ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "detect/dtrg/ids.hpp"
#include "detect/dtrg/past.hpp"
#include "detect/history/blocks.hpp"
#include "detect/history/order.hpp"
#include "events/listener.hpp"
#include "support/check.hpp"
#include "support/power_histogram.hpp"

namespace anyorder::detect::dtrg {

struct Label {
  std::uint32_t pre;
  std::uint32_t post;

  // Whether the other lies inside.
  [[nodiscard]] bool subsumes(Label other) const noexcept { return pre <= other.pre && other.post <= post; }
  friend bool operator==(const Label&, const Label&) = default;
};

using events::TaskKind;
using history::Relation;

enum class Join : std::uint8_t { none, tree, non_tree };

class ReachabilityGraph {
 public:
  static constexpr std::uint32_t kMaxLabel = ~std::uint32_t{0};  // the paper's MAXINT

  // How the question whether a task precedes another was answered, and how often.
  struct Queries {
    std::uint64_t by_label = 0;
    // Of each that was answered by non-tree joins: the sets it looked into, not known to precede before.
    support::PowerHistogram visits;
  };

  // Algorithm 1. A further root begins when the one before has ended, and is unordered with it.
  TaskId begin_root();
  // Algorithm 2. `created_at` is kept for the caller.
  TaskId create(TaskId parent, TaskKind kind, std::uint32_t created_at) {
    ANYORDER_CHECK(parent == running_, "a task is created by one that does not run");
    const Task& creator = tasks_[parent];
    return add(parent, creator.nt == kNoEdge ? creator.lsa : parent,
               kind == TaskKind::future ? tasks_.size() : creator.future, created_at);
  }
  // Algorithm 3.
  void end(TaskId task) {
    ANYORDER_CHECK(task == running_, "a task ends that does not run");
    Task& ended = tasks_[task];
    ended.label.post = next_label_++;
    ++temporary_;
    running_ = ended.parent;
    ++epoch_;
    past_.end(task);
  }
  // Algorithm 4; the target has ended.
  Join get(TaskId getter, TaskId target);
  // Algorithm 7, for the end of a finish: the owner waits for the tasks [begin, end), which have ended.
  void join(TaskId owner, TaskId begin, TaskId end);

  // Whether `earlier` is known to precede what runs now without a look at non-tree joins.
  [[nodiscard]] bool precedes_by_label(TaskId earlier) noexcept {
    if (!label(find(earlier)).subsumes(label(running_))) return false;
    ++queries_.by_label;
    return true;
  }
  // Algorithm 10: whether all that `earlier` did so far precedes what `running` does now.
  [[nodiscard]] bool precedes(TaskId earlier, TaskId running) {
    const TaskId source = find(earlier);
    if (label(source).subsumes(label(running))) {
      ++queries_.by_label;
      return true;
    }
    return precedes_by_joins(source, running);
  }

  // A point of the run: all labels below had been given, and none above.
  using Moment = std::uint32_t;
  [[nodiscard]] Moment moment() {
    if (moment_epoch_ != epoch_) {
      moment_epoch_ = ++epoch_;
      moment_ = next_label_++;
    }
    return moment_;
  }
  // As precedes, for a task that ran at that moment, of what it had done by then. Slow.
  [[nodiscard]] bool precedes_at(TaskId earlier, TaskId later, Moment at) const;
  // The same for what any task did last.
  [[nodiscard]] bool precedes_end_of(TaskId earlier, TaskId later) const {
    return precedes_at(earlier, later, runs(later) ? next_label_ : label(later).post);
  }

  // How `earlier` stands to what runs now; and the same if labels tell.
  [[nodiscard]] Relation relation_of(TaskId earlier) {
    return precedes(earlier, running_)         ? Relation::precedes
           : stands_for_later_readers(earlier) ? Relation::stands
                                               : Relation::parallel;
  }
  [[nodiscard]] Relation relation_at_once(TaskId earlier) noexcept {
    if (precedes_by_label(earlier)) return Relation::precedes;
    if (!past_.is_empty()) return Relation::unknown;
    queries_.visits.add(0);
    return stands_for_later_readers(earlier) ? Relation::stands : Relation::parallel;
  }
  // Whether it precedes all that is still to come.
  [[nodiscard]] bool is_over(TaskId earlier) noexcept {
    return tasks_[earlier].set == kRoot || find(earlier) == kRoot;
  }

  // Of a reader that may run in parallel with what runs now: whatever a later reader races with races with
  // this one, too, so that there is no need to keep both. Not if it began before the last moment: a
  // destruction may come after what it did, by a reference dropped then, and race with what the other did.
  [[nodiscard]] bool stands_for_later_readers(TaskId reader) const noexcept {
    const TaskId future = tasks_[reader].future;
    return future != reader && (future == kNoTask || runs(future)) && !began_before_last_moment(reader);
  }
  [[nodiscard]] bool began_before_last_moment(TaskId task) const noexcept {
    return label(task).pre < moment_;
  }

  [[nodiscard]] bool is_future(TaskId task) const noexcept { return tasks_[task].future == task; }
  [[nodiscard]] bool runs(TaskId task) const noexcept { return tasks_[task].label.post > temporary_; }
  // The task that runs now.
  [[nodiscard]] TaskId running() const noexcept { return running_; }
  // Another value whenever the answers of precedes() may be others.
  [[nodiscard]] std::uint64_t epoch() const noexcept { return epoch_; }

  // The representative of the task's set.
  [[nodiscard]] TaskId find(TaskId task) noexcept {
    while (tasks_[task].set != task) {
      TaskId& up = tasks_[task].set;
      up = tasks_[up].set;  // path halving
      task = up;
    }
    return task;
  }
  [[nodiscard]] Label label(TaskId task) const noexcept { return tasks_[task].label; }
  [[nodiscard]] TaskId parent(TaskId task) const noexcept { return tasks_[task].parent; }
  [[nodiscard]] TaskId lowest_significant_ancestor(TaskId task) const noexcept { return tasks_[task].lsa; }
  [[nodiscard]] std::uint32_t created_at(TaskId task) const noexcept { return tasks_[task].created_at; }
  [[nodiscard]] std::uint32_t task_count() const noexcept { return tasks_.size(); }
  // Of the representative of a set, in the order of the joins; of another task none.
  [[nodiscard]] std::vector<TaskId> non_tree_predecessors(TaskId representative) const;

  [[nodiscard]] std::uint64_t non_tree_joins() const noexcept { return non_tree_joins_; }
  [[nodiscard]] const Queries& queries() const noexcept { return queries_; }

 private:
  struct Task {
    TaskId set;  // towards the representative, which has itself
    Label label;
    TaskId parent;
    TaskId lsa;
    std::uint32_t
        nt;         // the last edge of the list; kNoEdge: none. Of one that was taken in: the next label then
    TaskId future;  // the task itself if it is a future, else its nearest ancestor that is one, if any
    std::uint32_t created_at;
  };
  static_assert(sizeof(Task) == 32);

  // A non-tree join. The last edge of a list points to the first, so that lists are put together in one step,
  // and new edges come behind the old ones.
  struct Edge {
    TaskId source;
    std::uint32_t next;
    Moment made_at;  // the next label then
  };
  static constexpr std::uint32_t kNoEdge = ~std::uint32_t{0};

  TaskId add(TaskId parent, TaskId lsa, TaskId future, std::uint32_t created_at) {
    // Labels go up to twice the number of tasks, and temporary ones down by their depth.
    ANYORDER_CHECK(tasks_.size() < kMostTasks && next_label_ < temporary_,
                   "more tasks than 31 bits can number");
    running_ = tasks_.push_back(
        {tasks_.size(), {next_label_++, temporary_--}, parent, lsa, kNoEdge, future, created_at});
    ++epoch_;
    return running_;
  }
  // Whether an edge from the target is among the first few of the task's list; or that list is longer.
  enum class Listed : std::uint8_t { no, yes, unknown };
  [[nodiscard]] Listed is_listed(TaskId target, std::uint32_t last) const noexcept;
  void merge(TaskId into, TaskId representative);
  [[nodiscard]] bool is_representative(TaskId task) const noexcept { return tasks_[task].set == task; }
  // The edges behind the list `last`, if not empty, of which the older ones go on to be the first.
  [[nodiscard]] std::uint32_t joined(std::uint32_t older, std::uint32_t newer);

  // Of representatives: along non-tree joins, the first of which leads to `running` or to an ancestor.
  [[nodiscard]] bool precedes_by_joins(TaskId source, TaskId running);
  // Whether a non-tree join of a task of these levels leads back to the source.
  [[nodiscard]] bool is_in_past(TaskId source, Past::Level levels, std::uint64_t& visits);
  void take_joins();
  void expand(TaskId set, Past::Level level);
  void add_edges(std::uint32_t after, std::uint32_t last, TaskId of, Past::Level level);

  // The representative of the task's set at that moment; and the task that ran then.
  [[nodiscard]] TaskId find_at(TaskId task, Moment at) const noexcept;
  [[nodiscard]] TaskId running_at(Moment at) const noexcept;
  [[nodiscard]] bool precedes_by_joins_at(TaskId source, TaskId later, Moment at) const;
  // Calls f(source) for the non-tree joins that the set had at that moment, but not those before `from`.
  template <class F>
  void for_each_join_at(TaskId representative, Moment from, Moment at, F f) const;

  history::Blocks<Task> tasks_;
  history::Blocks<Edge> edges_;
  Past past_;
  std::uint32_t next_label_ = 0;         // dfid
  std::uint32_t temporary_ = kMaxLabel;  // tmpid
  TaskId running_ = kNoTask;
  std::uint64_t epoch_ = 0;
  Moment moment_ = 0;  // the last one; 0: none
  std::uint64_t moment_epoch_ = 0;
  std::uint64_t non_tree_joins_ = 0;
  Queries queries_;
};

}  // namespace anyorder::detect::dtrg
