// What is known to precede the tasks that run, by non-tree joins, and where the search goes on if that is not
// enough. No query looks into a set twice on behalf of the same task.
//
// Tasks that run are nested, and those outside wait for nothing while one inside runs: what precedes one
// precedes all that are inside it. So there is one Past for all of them, in which each fact has a level, that
// of the outermost task of which it is known, and goes when that task ends. A query is one look, however deep
// the tasks are nested.
//
// A set is named by its label. What precedes a set ended before the set did; so the search for a set that
// began at `pre` need not go into those that ended before, and goes by descending ends.
//
// Contract: one thread. Tasks have numbers in the order of their creation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "detect/dtrg/ids.hpp"

namespace anyorder::detect::dtrg {

class Past {
 public:
  // Of a task that runs and has non-tree joins; 0 is the outermost one's.
  using Level = std::uint32_t;
  static constexpr std::uint32_t kNothing = ~std::uint32_t{0};

  struct Source {
    std::uint32_t post;
    TaskId set;
    TaskId of;  // the level's task
    Level level;
    friend bool operator<(const Source& a, const Source& b) { return a.post < b.post; }
  };

  // Whether the innermost task, `task`, has not got this future before, otherwise than as a descendant.
  bool is_first_get_of(TaskId task, TaskId target) {
    return levels_[level_of_innermost(task)].got.insert(target).second;
  }
  // The innermost task has a new non-tree join, or several.
  void note_join(TaskId task);
  // Whether no task that runs has a non-tree join.
  [[nodiscard]] bool is_empty() const noexcept { return levels_.empty(); }
  // Calls take(task, level, last) for the tasks that have joins which were not taken in. `last` is what take
  // returned the time before; at first kNothing.
  template <class Take>
  void take_joins(Take take) {
    for (; first_with_new_joins_ < levels_.size(); ++first_with_new_joins_) {
      OfTask& level = levels_[first_with_new_joins_];
      level.taken = take(level.task, first_with_new_joins_, level.taken);
    }
  }
  // The innermost task ends.
  void end(TaskId task);

  // How many levels, the outermost ones, are of `task` and of tasks around it.
  [[nodiscard]] Level levels_up_to(TaskId task) const noexcept;

  // Whether a set whose label begins in [pre, post] is known to precede, by the first `levels` levels.
  [[nodiscard]] bool knows(std::uint32_t pre, std::uint32_t post, Level levels) const;
  // The set precedes the level's task; it is yet to be looked into if that was not known.
  void add(Level level, TaskId set, std::uint32_t pre, std::uint32_t post);
  // Whether there is a set to look into that ended at `pre` or later.
  [[nodiscard]] bool has_from(std::uint32_t pre);
  // The one that ended last; has_from was true.
  Source take();

  // An ancestor of a set that precedes: its joins are to be looked into, although it does not itself precede.
  // False: they are, or were.
  bool pass_through(Level level, TaskId ancestor);

 private:
  struct OfTask {
    TaskId task;
    std::uint32_t taken = kNothing;
    std::size_t waiting = 0;              // sources of this level in the frontier
    std::vector<std::uint32_t> proven{};  // what may be of this level in the map of that name
    std::vector<TaskId> passed{};         // likewise
    std::unordered_set<TaskId> got{};
  };

  Level level_of_innermost(TaskId task);
  [[nodiscard]] bool is_over(const Source& source) const noexcept {
    return source.level >= levels_.size() || levels_[source.level].task != source.of;
  }
  void drop_what_is_over();

  std::vector<OfTask> levels_;
  Level first_with_new_joins_ = 0;         // all levels from here on have some
  std::map<std::uint32_t, Level> proven_;  // by where the labels of sets that precede begin
  std::unordered_map<TaskId, Level> passed_;
  std::vector<Source> frontier_;  // a heap; also has sources of tasks that have ended
  std::size_t over_ = 0;          // how many of these
};

}  // namespace anyorder::detect::dtrg
