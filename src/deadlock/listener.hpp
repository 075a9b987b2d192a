// Who is told what a join policy finds.
//
// Contract: any thread may call, several at once. No call may run task operations. None may throw.
#pragma once

#include <cstdint>

#include "deadlock/wait_graph.hpp"
#include "events/listener.hpp"

namespace anyorder::deadlock {

// A task got a future that it does not know: its handle came by a race, or through what the rules do not see,
// such as an isolated section.
struct UnknownJoin {
  std::uint64_t task = 0;  // 0: the root of a thread
  events::SourceSite got_at;
  events::SourceSite created_at;  // the task
  std::uint64_t future = 0;
  events::SourceSite future_created_at;
};

class JoinListener {
 public:
  virtual ~JoinListener() = default;
  // The process uses the library, and a policy is in force.
  virtual void policy_in_force() {}
  // One get of the cycle throws.
  virtual void deadlock_avoided(const Cycle& cycle) = 0;
  virtual void unknown_join(const UnknownJoin& join) = 0;
};

}  // namespace anyorder::deadlock
