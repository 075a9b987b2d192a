// The wait-for graph of tasks that wait, and the search for cycles in it.
//
// Edges: from a task to the future that it gets, and from the owner of a finish, at its end, to every task of
// the finish. Only those that wait themselves matter, so that all edges are found among the waits that are
// in here. A wait enters before its task stands still, and leaves when it goes on.
//
// When a search is needed: a wait that closes a cycle is one for a target that has begun. If all gets are of
// known tasks there is no cycle; so in a graph for knowledge, searches are made by the waits of strangers,
// and by all others while a stranger's wait is in here. Of any waits that make a cycle, let the search of the
// stranger among them miss some: those entered after it was done, and have seen that the stranger is here.
// Then of their searches the last one sees all. Searches hold all locks: what they see was true at once.
//
// Of a cycle one wait ends by the Deadlock: the one that closed it, if it is a get of a stranger, else one of
// the strangers' on the cycle. It counts no more from then on, so that no second one ends for the same.
// There always is one: tasks that run where they are waited for began after their waiters, and so did those
// of a finish after its owner; what leads back is a get that stands still.
//
// Contract: any thread; `resume` is called with locks held and must not call back.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "events/listener.hpp"
#include "support/spin_lock.hpp"

namespace anyorder::deadlock {

struct Wait;

// What the graph keeps in the record of a task.
struct WaitNode {
  Wait* wait = nullptr;      // guarded by the lock of that wait's shard, and by all of them for searches
  std::uint32_t number = 0;  // for people; given when it is first told
  std::uint32_t period = 0;  // the policy's
};

// One task of a cycle: it waits for the next one.
struct WaitingTask {
  std::uint64_t number = 0;
  bool at_end_of_finish = false;
  events::SourceSite waits_at;
  events::SourceSite created_at;
};
using Cycle = std::vector<WaitingTask>;

// A task waits. The caller fills in the first part, and keeps all of it in place from enter to leave.
struct Wait {
  WaitNode* waiter = nullptr;
  WaitNode* target = nullptr;       // null: a finish is waited for
  const void* finish = nullptr;     // that one
  const void* joined_by = nullptr;  // the finish that joins the waiter
  events::SourceSite waits_at;
  events::SourceSite created_at;  // the waiter
  bool is_strangers = false;      // may end by a Deadlock
  void* strand = nullptr;         // for resume

  // The graph's.
  std::unique_ptr<Cycle> cycle;  // set: ended by it
  bool stands = false;           // among those that target_ended and a cycle resume
  unsigned shard = 0;
  std::uint64_t visited_by = 0;
  Wait* came_from = nullptr;
  Wait* previous = nullptr;
  Wait* next = nullptr;
};

class WaitGraph {
 public:
  using Resume = void (*)(void* strand);

  // every_get: there is no knowledge; each wait is searched for.
  WaitGraph(Resume resume, bool every_get) : resume_(resume), every_get_(every_get) {}
  WaitGraph(const WaitGraph&) = delete;
  WaitGraph& operator=(const WaitGraph&) = delete;

  void enter(Wait& wait);
  void leave(Wait& wait);

  // Before the waiter stands still for a target that has begun, or for tasks that others run. False: it must
  // not; wait.cycle tells why.
  [[nodiscard]] bool may_stand(Wait& wait);

  // A stranger's wait stands from now on, unless has_ended() says that there is no need any more or the wait
  // was ended by a cycle: then it is resumed at once. has_ended is called under the lock that target_ended
  // takes, and marks the target so that its end will call that.
  template <class HasEnded>
  void stand(Wait& wait, HasEnded has_ended) {
    const std::lock_guard lock(mutex_);
    if (wait.cycle != nullptr || has_ended()) {
      resume_(wait.strand);
    } else {
      wait.stands = true;
      standing_.push_back(&wait);
    }
  }
  // Resumes all that stand for the target.
  void target_ended(const WaitNode& target);

  [[nodiscard]] std::uint64_t searches() const { return searches_.load(std::memory_order_relaxed); }
  // Tasks are numbered from 1 on, as they are told.
  [[nodiscard]] std::uint64_t number_of(WaitNode& node) {
    const std::lock_guard lock(mutex_);
    return given_number(node);
  }

 private:
  static constexpr unsigned kShards = 64;
  struct alignas(64) Shard {
    support::SpinLock lock;
    Wait* first = nullptr;  // guarded by it
  };

  [[nodiscard]] Wait* search(Wait& from);
  [[nodiscard]] Cycle cycle_from(const Wait& last);
  [[nodiscard]] std::uint64_t given_number(WaitNode& node);
  void lock_all();
  void unlock_all();

  std::array<Shard, kShards> shards_;
  std::atomic<std::uint64_t> strangers_{0};  // their waits that are in here
  std::atomic<std::uint64_t> searches_{0};
  const Resume resume_;
  std::mutex mutex_;             // guards all below; taken before shards
  std::vector<Wait*> standing_;  // strangers' waits
  std::uint32_t last_number_ = 0;
  const bool every_get_;
};

}  // namespace anyorder::deadlock
