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
  ++epoch_;
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
