// What the programs of this folder share: their size argument, the clock, and the line that they print.
//
// A program prints, when its result has been compared with a serial reference,
//
//   measured <name> <size> <seconds> <processor seconds> <peak bytes>
//
// and ends with 0. With a wrong result it prints no such line and ends with 1. Both times are those of the
// work alone, the second one of all threads together: on a busy machine it is the one that says something
// about a serial run. The peak is of the resident memory up to the end of the work. The reference has to be
// computed before the work: what the main task does before its first task operation is not checked, so that a
// detector's counts are those of the work.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <anyorder/anyorder.hpp>

// Neither counted nor slowed down by instrumentation.
#define ANYORDER_BENCH_UNCHECKED __attribute__((no_sanitize("thread"), noinline))

namespace bench {

struct SizeRange {
  const char* meaning;  // what the size counts
  long least;
  long most;
};

// The program's one argument. Ends the program with 64 if it is not a number in the range.
inline long size_argument(int argc, char** argv, const SizeRange& wanted) {
  char* end = nullptr;
  const long size = argc == 2 ? std::strtol(argv[1], &end, 10) : 0;
  if (argc != 2 || end == argv[1] || *end != '\0' || size < wanted.least || size > wanted.most) {
    std::fprintf(stderr, "usage: %s <size>, the %s, from %ld to %ld\n", argv[0], wanted.meaning, wanted.least,
                 wanted.most);
    std::exit(64);
  }
  return size;
}

// The largest resident set of this process, 0 if the system does not tell. Not ru_maxrss: that one begins
// with the resident set of the process that started this one.
inline unsigned long long peak_resident_bytes() {
  std::FILE* const status = std::fopen("/proc/self/status", "r");
  if (status == nullptr) return 0;
  unsigned long long kilobytes = 0;
  char line[256];
  while (std::fgets(line, sizeof line, status) != nullptr) {
    if (std::sscanf(line, "VmHWM: %llu kB", &kilobytes) == 1) break;
  }
  std::fclose(status);
  return kilobytes * 1024;
}

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <class T>
ANYORDER_BENCH_UNCHECKED bool same_values(const T* a, const T* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && same_values(a.data(), b.data(), a.size());
}

// Times `work` and then asks `right` for its result. Returns the program's exit code.
template <class Work, class Right>
int measure(const char* name, long size, const Work& work, const Right& right) {
  using Clock = std::chrono::steady_clock;
  anyorder::finish([] {});  // the executor makes its stack, and a detector begins
  const Clock::time_point begin = Clock::now();
  const double processor_begin = processor_seconds();
  work();
  const double processor_took = processor_seconds() - processor_begin;
  const std::chrono::duration<double> took = Clock::now() - begin;
  const unsigned long long peak = peak_resident_bytes();
  if (!right()) {
    std::fprintf(stderr, "%s %ld: the result is wrong\n", name, size);
    return 1;
  }
  std::printf("measured %s %ld %.9f %.9f %llu\n", name, size, took.count(), processor_took, peak);
  return 0;
}

}  // namespace bench
