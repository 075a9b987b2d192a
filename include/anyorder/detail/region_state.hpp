// What the library keeps of a region and of the tasks that are posted into it.
//
// Who may touch what: the list of a RegionOwner belongs to the task that owns it, until that has ended and
// its parent takes it over. The fields that are said to be are guarded by the region's lock.
#pragma once

#include <atomic>
#include <cstddef>

#include "anyorder/detail/export.hpp"
#include "anyorder/detail/task.hpp"

namespace anyorder::detail {

struct RegionTask;
struct Strand;

struct RegionList {
  RegionTask* first = nullptr;
  RegionTask* last = nullptr;
};
struct RegionLink {
  RegionTask* previous = nullptr;
  RegionTask* next = nullptr;
};

// What one task has posted into a region, or was handed over, and has not joined.
struct RegionOwner {
  RegionList posted;  // all, in that order
  std::size_t count = 0;
  RegionList complete;       // guarded: those that may be joined, in the order in which they came to that
  Strand* waiter = nullptr;  // guarded: the owner's, suspended until there is one
};

struct RegionState {
  ANYORDER_API explicit RegionState(source_site made_at);
  RegionState(const RegionState&) = delete;
  RegionState& operator=(const RegionState&) = delete;
  ~RegionState() = default;

  RegionOwner own;  // the maker's
  const Task* maker;
  int exceptions;  // that were on their way when it was made
  std::atomic<bool> locked{false};
  source_site site;
};

struct RegionTask : FutureTask {
  ANYORDER_UNCHECKED RegionTask(const TaskOps& operations, source_site created_at) noexcept
      : FutureTask(operations, created_at) {}

  RegionState* region = nullptr;
  RegionOwner* owner = nullptr;  // guarded: who joins it
  RegionLink posted;             // its neighbours in the lists of its owner
  RegionLink complete;
  RegionOwner own;  // its own posts
  bool has_handler = false;

 protected:
  ~RegionTask() = default;
};

// The posts of the running task. Throws usage_error if it is neither the maker nor was posted into the
// region, and inside an isolated section.
ANYORDER_API RegionOwner& open(RegionState& region, const char* operation, source_site site);
ANYORDER_API void post(RegionState& region, RegionOwner& owner, RegionTask& task) noexcept;
// By the task itself: it may be joined, which takes until it has ended.
ANYORDER_API void complete(RegionTask& task) noexcept;
ANYORDER_API void await_all(RegionState& region, source_site site);
ANYORDER_API bool await_one(RegionState& region, source_site site);
ANYORDER_API void close(RegionState& region);

}  // namespace anyorder::detail
