#include "detect/dtrg/past.hpp"

#include <algorithm>

#include "support/check.hpp"

namespace anyorder::detect::dtrg {

Past::Level Past::level_of_innermost(TaskId task) {
  if (levels_.empty() || levels_.back().task != task) {
    ANYORDER_CHECK(levels_.empty() || levels_.back().task < task,
                   "a join by a task that is not the innermost");
    levels_.push_back({task});
  }
  return static_cast<Level>(levels_.size() - 1);
}

void Past::note_join(TaskId task) {
  first_with_new_joins_ = std::min(first_with_new_joins_, level_of_innermost(task));
}

void Past::end(TaskId task) {
  if (levels_.empty() || levels_.back().task != task) return;
  const auto level = static_cast<Level>(levels_.size() - 1);
  const OfTask& ended = levels_.back();
  // What an outer task turned out to know, too, is no longer of this level.
  for (const std::uint32_t pre : ended.proven) {
    if (const auto at = proven_.find(pre); at->second == level) proven_.erase(at);
  }
  for (const TaskId ancestor : ended.passed) {
    if (const auto at = passed_.find(ancestor); at->second == level) passed_.erase(at);
  }
  over_ += ended.waiting;
  levels_.pop_back();
  first_with_new_joins_ = std::min(first_with_new_joins_, level);
  drop_what_is_over();
}

void Past::drop_what_is_over() {
  constexpr std::size_t kFew = 64;
  if (over_ < kFew || over_ < frontier_.size() / 2) return;
  std::erase_if(frontier_, [this](const Source& source) { return is_over(source); });
  std::make_heap(frontier_.begin(), frontier_.end());
  over_ = 0;
}

Past::Level Past::levels_up_to(TaskId task) const noexcept {
  if (levels_.empty() || levels_.back().task <= task) return static_cast<Level>(levels_.size());
  const auto inside =
      std::upper_bound(levels_.begin(), levels_.end(), task,
                       [](TaskId sought, const OfTask& level) { return sought < level.task; });
  return static_cast<Level>(inside - levels_.begin());
}

bool Past::knows(std::uint32_t pre, std::uint32_t post, Level levels) const {
  for (auto at = proven_.lower_bound(pre); at != proven_.end() && at->first <= post; ++at) {
    if (at->second < levels) return true;
  }
  return false;
}

void Past::add(Level level, TaskId set, std::uint32_t pre, std::uint32_t post) {
  const auto [known, is_new] = proven_.try_emplace(pre, level);
  if (!is_new && known->second <= level) return;
  known->second = level;
  OfTask& of = levels_[level];
  of.proven.push_back(pre);
  ++of.waiting;
  frontier_.push_back({post, set, of.task, level});
  std::push_heap(frontier_.begin(), frontier_.end());
}

bool Past::has_from(std::uint32_t pre) {
  while (!frontier_.empty() && frontier_.front().post >= pre) {
    if (!is_over(frontier_.front())) return true;
    std::pop_heap(frontier_.begin(), frontier_.end());
    frontier_.pop_back();
    --over_;
  }
  return false;
}

Past::Source Past::take() {
  std::pop_heap(frontier_.begin(), frontier_.end());
  const Source source = frontier_.back();
  frontier_.pop_back();
  --levels_[source.level].waiting;
  return source;
}

bool Past::pass_through(Level level, TaskId ancestor) {
  const auto [known, is_new] = passed_.try_emplace(ancestor, level);
  if (!is_new && known->second <= level) return false;
  known->second = level;
  levels_[level].passed.push_back(ancestor);
  return true;
}

}  // namespace anyorder::detect::dtrg
