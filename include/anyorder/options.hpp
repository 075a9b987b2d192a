// How the program's tasks are run. Without a call of configure() the environment decides:
// ANYORDER_EXECUTOR, ANYORDER_WORKERS, ANYORDER_STACK, ANYORDER_JOINS (docs/environment.md).
#pragma once

#include <cstddef>

#include "anyorder/detail/export.hpp"
#include "anyorder/source_site.hpp"

namespace anyorder {

enum class executor {
  parallel,  // on oneTBB's worker threads and on every thread that waits
  serial,    // depth-first: each task runs to its end at the point where it is created
};

// Which gets are refused, so that no program hangs in a cycle of tasks that wait for each other.
enum class join_policy {
  off,       // none
  known,     // those that close a cycle; it is looked for when a task gets a future that it does not know
  known_vc,  // the same, by vector clocks: slower
  strict,    // those of futures that the task does not know
  cycle,     // those that close a cycle; it is looked for at each get that has to wait: slower
};

struct options {
  executor run = executor::parallel;
  unsigned workers = 0;          // threads that run tasks, the waiting one included; 0: one per core
  std::size_t serial_stack = 0;  // bytes of address space for the serial executor's stack; 0: 1 GiB
  join_policy joins = join_policy::off;
};

// Replaces the options in force. To be called outside every finish and task while no task of any thread is
// alive and no other thread uses the library; throws usage_error where it can see that this is not so.
ANYORDER_API void configure(const options& wanted, source_site site = source_site::current());

// The options in force, with every 0 replaced by its value.
ANYORDER_API options configuration();

}  // namespace anyorder
