#include "detect/esp_bags/bags.hpp"

namespace anyorder::detect::esp_bags {

static_assert(history::Order<Bags>);

TaskId Bags::begin_root() {
  ANYORDER_CHECK(running_ == history::kNoTask, "a root begins while another runs");
  return add({history::kNoTask, 0});
}

void Bags::join(TaskId owner, TaskId begin, TaskId end) {
  ANYORDER_CHECK(owner == running_, "a task that does not run waits for another");
  for (TaskId task = begin; task != end; ++task) {
    ANYORDER_CHECK(sets_[task] == kEnded, "a finish ends after its tasks, and a task has one that joins it");
    sets_[task] = owner;
  }
  if (moments_ != 0) [[unlikely]]
    note_join(begin, end);
  ++epoch_;
}

Bags::Moment Bags::moment() {
  if (moments_ == 0 || moment_epoch_ != epoch_) {
    ++moments_;
    ANYORDER_CHECK(moments_ != 0, "more moments than 32 bits can number");
    moment_epoch_ = epoch_;
  }
  return {moments_, task_count()};
}

void Bags::note_join(TaskId begin, TaskId end) {
  while (joined_after_.size() < end) joined_after_.push_back(0);
  for (TaskId task = begin; task != end; ++task) joined_after_[task] = moments_;
}

TaskId Bags::find_at(TaskId task, Moment at) const noexcept {
  // A set is a part of the spawn tree, and the one task in it that nobody has joined is at its top.
  while (sets_[task] < kEnded && (task >= joined_after_.size() || joined_after_[task] < at.number)) {
    task = origins_[task].parent;
  }
  return task;
}

bool Bags::precedes_at(TaskId earlier, TaskId later, Moment at) const noexcept {
  if (earlier >= at.tasks) return false;
  const TaskId source = find_at(earlier, at);
  // Those that ran are the second one and its ancestors, which were created before it.
  TaskId running = later;
  while (running != history::kNoTask && running > source) running = origins_[running].parent;
  return running == source;
}

bool Bags::precedes_end_of(TaskId earlier, TaskId later) noexcept {
  // The tasks that have sets are nested as the spawn tree is.
  const TaskId source = find(earlier);
  for (TaskId at = find(later); at >= source; at = find(origins_[at].parent)) {
    if (at == source) return true;
    if (origins_[at].parent == history::kNoTask) break;
  }
  return false;
}

}  // namespace anyorder::detect::esp_bags
