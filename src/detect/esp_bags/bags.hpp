// S-bags and P-bags: which tasks precede the one that runs, for async and finish. ESP-bags (Raman et al.,
// RV 2010), after SP-bags (Feng and Leiserson, SPAA 1997).
//
// Contract: one thread; the events come in serial depth-first order: of a task only that runs, which is the
// one created last that has not ended, is something created or joined. No call recurses, however deep the
// tasks are nested.
//
// Disjoint sets, of which each has a task that took the others in at the ends of its finishes. While that
// task runs, the set is its S-bag: all in it precedes what runs now. After its end the set is a part of the
// P-bag of its IEF: all in it may run in parallel with what runs now, until the end of that finish puts it
// into the S-bag of the finish's owner. So whether a task is in a P-bag is whether the one that has its set
// has ended, and P-bags need no sets of their own.
#pragma once

#include <compare>
#include <cstdint>

#include "detect/history/blocks.hpp"
#include "detect/history/ids.hpp"
#include "detect/history/order.hpp"
#include "support/check.hpp"

namespace anyorder::detect::esp_bags {

using history::TaskId;

class Bags {
 public:
  // A further root begins when the one before has ended, and is unordered with it.
  TaskId begin_root();
  // S(child) = {child}. `created_at` is kept for the caller.
  TaskId create(TaskId parent, events::TaskKind /*kind*/, std::uint32_t created_at) {
    ANYORDER_CHECK(parent == running_, "a task is created by one that does not run");
    return add({parent, created_at});
  }
  // P(IEF) takes S(task) in.
  void end(TaskId task) {
    ANYORDER_CHECK(task == running_, "a task ends that does not run");
    sets_[task] = kEnded;
    running_ = origins_[task].parent;
    ++epoch_;
  }
  // S(owner) takes P(finish) in: the tasks [begin, end) of that finish, and what they have joined.
  void join(TaskId owner, TaskId begin, TaskId end);

  [[nodiscard]] bool is_in_s_bag(TaskId task) noexcept { return sets_[find(task)] == kRuns; }

  // In a P-bag a reader stands for all that come later: until it is in an S-bag, they are parallel to
  // whatever it is parallel to.
  [[nodiscard]] history::Relation relation_of(TaskId earlier) noexcept {
    return is_in_s_bag(earlier) ? history::Relation::precedes : history::Relation::stands;
  }
  [[nodiscard]] history::Relation relation_at_once(TaskId earlier) noexcept { return relation_of(earlier); }
  // Whether it precedes all that is still to come.
  [[nodiscard]] bool is_over(TaskId earlier) noexcept { return find(earlier) == history::kRoot; }
  // A point of the run, from the first call on.
  struct Moment {
    std::uint32_t number;  // from 1 on
    TaskId tasks;          // that had been created
    friend auto operator<=>(const Moment&, const Moment&) = default;
  };
  [[nodiscard]] Moment moment();
  // Whether all that the first did precedes what the second did up to that moment, at which the second ran;
  // true also if the first ran, too. Takes as long as the tasks are nested.
  [[nodiscard]] bool precedes_at(TaskId earlier, TaskId later, Moment at) const noexcept;
  // Whether all that the first did precedes the end of the second; true also if one task has waited for both,
  // as what is asked about the ends of futures is of programs that are not accepted. Takes as long.
  [[nodiscard]] bool precedes_end_of(TaskId earlier, TaskId later) noexcept;

  // Another value whenever relations may be others.
  [[nodiscard]] std::uint64_t epoch() const noexcept { return epoch_; }
  [[nodiscard]] TaskId parent(TaskId task) const noexcept { return origins_[task].parent; }
  [[nodiscard]] std::uint32_t created_at(TaskId task) const noexcept { return origins_[task].created_at; }
  [[nodiscard]] std::uint32_t task_count() const noexcept { return sets_.size(); }

 private:
  // Another task of the set, nearer to the one that has it; or, of that one, its state.
  using Set = std::uint32_t;
  static constexpr Set kEnded = Set{1} << 31U;
  static constexpr Set kRuns = kEnded + 1;
  static_assert(history::kMostTasks < kEnded);

  // What only reports need.
  struct Origin {
    TaskId parent;
    std::uint32_t created_at;
  };

  TaskId add(Origin origin) {
    ANYORDER_CHECK(sets_.size() < history::kMostTasks, "more tasks than 31 bits can number");
    origins_.push_back(origin);
    running_ = sets_.push_back(kRuns);
    ++epoch_;
    return running_;
  }
  // The task that has the set.
  [[nodiscard]] TaskId find(TaskId task) noexcept {
    while (sets_[task] < kEnded) {
      const TaskId up = sets_[task];
      if (sets_[up] >= kEnded) return up;
      sets_[task] = sets_[up];  // path halving
      task = sets_[up];
    }
    return task;
  }

  void note_join(TaskId begin, TaskId end);
  // The task that had the set of this one.
  [[nodiscard]] TaskId find_at(TaskId task, Moment at) const noexcept;

  history::Blocks<Set> sets_;
  history::Blocks<Origin> origins_;
  TaskId running_ = history::kNoTask;
  std::uint64_t epoch_ = 0;
  std::uint32_t moments_ = 0;
  std::uint64_t moment_epoch_ = 0;
  history::Blocks<std::uint32_t> joined_after_;  // of each task: which moment; 0: none, or not joined
};

}  // namespace anyorder::detect::esp_bags
