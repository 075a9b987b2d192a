// What is known to precede a task that runs, by non-tree joins, and where the search goes on if that is not
// enough. It only grows, so that no query looks at a set twice; it goes when the task ends.
//
// A set is named by its label. What precedes a set ended before the set did; so the search for a set that
// began at `pre` need not go into those that ended before, and goes by descending ends.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "detect/dtrg/ids.hpp"

namespace anyorder::detect::dtrg {

class Past {
 public:
  static constexpr std::uint32_t kNothing = ~std::uint32_t{0};

  // Whether a set whose label begins in [pre, post] is known to precede.
  [[nodiscard]] bool knows(std::uint32_t pre, std::uint32_t post) const {
    const auto at = proven_.lower_bound(pre);
    return at != proven_.end() && *at <= post;
  }
  // False: was known.
  bool prove(std::uint32_t pre) { return proven_.insert(pre).second; }

  // The source of a join: precedes, and is yet to be looked into.
  void add(TaskId source, std::uint32_t post) {
    frontier_.push_back({post, source});
    std::push_heap(frontier_.begin(), frontier_.end());
  }
  // The next one that ended at `pre` or later.
  [[nodiscard]] bool has_from(std::uint32_t pre) const {
    return !frontier_.empty() && frontier_.front().post >= pre;
  }
  TaskId take() {
    std::pop_heap(frontier_.begin(), frontier_.end());
    const TaskId source = frontier_.back().source;
    frontier_.pop_back();
    return source;
  }

  // An ancestor of a set that precedes: its joins are in the frontier, although it does not itself precede.
  // False: they were.
  bool pass_through(TaskId ancestor) { return passed_.insert(ancestor).second; }

  // Of a future that is no descendant, or not yet joined as one.
  bool is_first_get_of(TaskId target) { return got_.insert(target).second; }

  // The last non-tree join of the task itself that was taken in.
  std::uint32_t taken = kNothing;

 private:
  struct Source {
    std::uint32_t post;
    TaskId source;
    friend bool operator<(const Source& a, const Source& b) { return a.post < b.post; }
  };
  std::set<std::uint32_t> proven_;  // where the labels of sets that precede begin
  std::vector<Source> frontier_;    // a heap, the highest post first
  std::set<TaskId> passed_;
  std::set<TaskId> got_;
};

}  // namespace anyorder::detect::dtrg
