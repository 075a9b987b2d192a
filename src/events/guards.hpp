// The precautions without which a check reports what is not there, or misses what is. Each has a test that
// fails when it is taken out: tests/traps builds the tool with ANYORDER_GUARDS_CAN_BE_OFF, and then the
// environment variable ANYORDER_TEST_WITHOUT names the one to leave out. Everywhere else all are on, and the
// question costs nothing.
#pragma once

#include <cstdlib>
#include <string_view>

namespace anyorder::events {

enum class Guard {
  stack,            // a task's part of the stack is forgotten when it ends
  heap,             // memory is forgotten when it is allocated again
  free,             // a free counts as a write
  task_memory,      // the record of a task is forgotten when it is used again
  single_threaded,  // reference counts are atomic although the process has one thread
  references,       // the last reference is dropped after all others
  thread_local_data,
  c_library,    // accesses that the C library makes
  signals,      // nothing is checked in signal handlers
  once,         // what is initialised once precedes its uses
  cxx_library,  // static objects of libstdc++ are its own business
};

#ifdef ANYORDER_GUARDS_CAN_BE_OFF

inline std::string_view name_of(Guard guard) {
  constexpr std::string_view kNames[] = {
      "stack",     "heap",    "free", "task_memory", "single_threaded", "references", "thread_local_data",
      "c_library", "signals", "once", "cxx_library"};
  return kNames[static_cast<int>(guard)];
}
inline bool is_on(Guard guard) {
  const char* const without = std::getenv("ANYORDER_TEST_WITHOUT");
  return without == nullptr || name_of(guard) != without;
}

#else

constexpr bool is_on(Guard /*guard*/) { return true; }

#endif

}  // namespace anyorder::events
