// What the programs of this folder share: their arguments, the clock, and the line that they print.
//
// A program prints, when its result has been compared with a serial reference,
//
//   measured <name> <size> <seconds> <processor seconds> <peak bytes>
//
// and ends with 0. With a wrong result it prints no such line and ends with 1. Both times are those of the
// work alone, the second one of all threads together: on a busy machine it is the one that says something
// about a serial run. The peak is of the resident memory up to the end of the work. The reference has to be
// computed before the work: what the main task does before its first task operation is not checked, so that a
// detector's counts are those of the work. Those with a second argument, `serial`, do the work without tasks
// then (the serial elision), and print the same line. With `futures`, which those of bench/joins have, they
// synchronise by futures alone, and have as many tasks as the known joins paper's program of that name.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <anyorder/anyorder.hpp>

namespace bench {

struct SizeRange {
  const char* meaning;  // what the size counts
  long least;
  long most;
};

enum class Version { tasks, serial, futures };

struct Arguments {
  long size;
  Version version;
};

[[noreturn]] inline void end_with_usage(const char* program, const char* arguments, const SizeRange& wanted) {
  std::fprintf(stderr, "usage: %s %s; the size is the %s, from %ld to %ld\n", program, arguments,
               wanted.meaning, wanted.least, wanted.most);
  std::exit(64);
}

// `text` as a number in the range; if it is none, one outside of it.
inline long size_in(const char* text, const SizeRange& wanted) {
  char* end = nullptr;
  const long size = std::strtol(text, &end, 10);
  const bool is_number = end != text && *end == '\0';
  return is_number && size <= wanted.most ? size : wanted.least - 1;
}

// The one argument of a program without a serial version. Ends the program with 64 if it is not a number in
// the range.
inline long size_argument(int argc, char** argv, const SizeRange& wanted) {
  const long size = argc == 2 ? size_in(argv[1], wanted) : wanted.least - 1;
  if (size < wanted.least) end_with_usage(argv[0], "<size>", wanted);
  return size;
}

// The same for a program that has one.
inline Arguments arguments(int argc, char** argv, const SizeRange& wanted) {
  const bool serial = argc == 3 && std::strcmp(argv[2], "serial") == 0;
  const bool futures = argc == 3 && std::strcmp(argv[2], "futures") == 0;
  const long size = argc == 2 || serial || futures ? size_in(argv[1], wanted) : wanted.least - 1;
  if (size < wanted.least) end_with_usage(argv[0], "<size> [serial]", wanted);
  return {size, serial ? Version::serial : futures ? Version::futures : Version::tasks};
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
