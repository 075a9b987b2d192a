// What the stress programs print about the memory they took, and the bound that they check.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

namespace stress {

inline long peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

[[noreturn]] inline void fail(const char* what) {
  std::fprintf(stderr, "FAILED: %s\n", what);
  std::exit(1);
}

inline void require(bool holds, const char* what) {
  if (!holds) fail(what);
}

// Prints the peak, and fails above the bound. The sanitizers need memory of their own: no bound there.
inline void report_peak(const char* program, long bound_mib) {
  std::printf("%s: peak %ld MiB (bound %ld MiB)\n", program, peak_mib(), bound_mib);
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
  return;
#endif
#endif
  require(peak_mib() <= bound_mib, "the peak is above the bound");
#endif
}

}  // namespace stress
