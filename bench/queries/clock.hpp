// The clock of measurements on a machine that may be busy with other things.
#pragma once

#include <ctime>

namespace bench {

// Processor time of all threads of this process.
inline double processor_ns() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

}  // namespace bench
