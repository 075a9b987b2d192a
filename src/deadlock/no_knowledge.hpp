// For a policy that goes by cycles alone: every join is one of a stranger.
#pragma once

#include "deadlock/knowledge.hpp"

namespace anyorder::deadlock {

class NoKnowledge {
 public:
  struct Task {};
  struct Finish {};

  static void fork(Task& /*parent*/, Task& /*child*/, bool /*is_future*/) {}
  [[nodiscard]] static bool knows(const Task& /*task*/, const Task& /*target*/) { return false; }
  static void join(Task& /*task*/, const Task& /*target*/) {}
  static void next_index(Task& /*loop*/, Finish& /*finish*/) {}
  static void split(const Task& /*loop*/, Task& /*rest*/) {}
  [[nodiscard]] static bool has_learnt(const Task& /*task*/) { return false; }
  static void end(Task& /*task*/, Finish& /*finish*/) {}
  static void finish_end(Task& /*owner*/, Finish& /*finish*/) {}
  static void forget(Task& /*task*/) {}

  template <class Free>
  static void release(Task* task, Free free) {
    free(task);
  }
};
static_assert(Knowledge<NoKnowledge>);

}  // namespace anyorder::deadlock
