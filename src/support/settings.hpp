// Every environment variable that the library and the command read: name, default, help. The one source of
// all three.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace anyorder::support {

struct Setting {
  const char* name;
  const char* fallback;  // what holds when the variable is unset or empty
  const char* help;
};

inline constexpr Setting kExecutor{
    "ANYORDER_EXECUTOR", "parallel",
    "parallel: on all workers; serial: each task runs to its end at the point where it is created"};
inline constexpr Setting kWorkers{"ANYORDER_WORKERS", "one per core",
                                  "threads that run tasks, from 1 to 1024; the thread that waits is one"};
inline constexpr Setting kStack{"ANYORDER_STACK", "1G",
                                "address space of the serial executor's stack: bytes, or with K, M or G"};
inline constexpr Setting kPerturb{
    "ANYORDER_PERTURB", "none",
    "for tests: a number from which the parallel executor takes an unusual order of tasks"};

inline constexpr Setting kJoins{
    "ANYORDER_JOINS", "off",
    "which gets are refused, so that none hangs: off, known, known-vc, strict or cycle; also the --joins of "
    "anyorder run and anyorder check"};

inline constexpr Setting kDetector{
    "ANYORDER_DETECTOR", "none",
    "a program that links libanyorder runs under anyorder check with this detector; also its --detector"};
inline constexpr Setting kJson{"ANYORDER_JSON", "none",
                               "where anyorder check, run and explore write their JSON report, unless "
                               "--json says it"};
inline constexpr Setting kCxx{"ANYORDER_CXX", "CXX, clang++-19 with the pass, g++ or clang++",
                              "the compiler that anyorder c++ calls; may be several words"};
inline constexpr Setting kCc{"ANYORDER_CC", "CC, clang-19 with the pass, gcc or clang",
                             "the compiler that anyorder cc calls; may be several words"};
inline constexpr Setting kInstrument{
    "ANYORDER_INSTRUMENT", "pass where there is one",
    "how anyorder c++ and anyorder cc instrument: pass or hooks; also their --instrument"};
// From the command to the program that it checks; not for users.
inline constexpr Setting kRecord{"ANYORDER_RECORD", "none",
                                 "the folder for findings; anyorder check and anyorder run set it for "
                                 "their program"};
inline constexpr Setting kExplorer{"ANYORDER_EXPLORER", "none",
                                   "a program that uses ao::explore sets it when it starts itself anew"};
inline constexpr Setting kChannels{"ANYORDER_CHANNELS", "none",
                                   "descriptors; anyorder explore sets it for its program"};
inline constexpr Setting kSchedule{"ANYORDER_SCHEDULE", "none",
                                   "the order of isolated sections; anyorder replay sets it for its program"};
inline constexpr Setting kGraph{"ANYORDER_GRAPH", "none",
                                "the file for the computation graph; anyorder check --graph sets it"};

inline constexpr Setting kStacks{"ANYORDER_STACKS", "near",
                                 "whole: accesses have all their callers; anyorder check --explain sets it"};

inline constexpr unsigned kMaxWorkers = 1024;
inline constexpr std::size_t kMinStack = std::size_t{64} << 10;
inline constexpr std::size_t kMaxStack = std::size_t{1} << 46;

// "4096", "64K", "8M", "1G"; nothing for anything else, or if it does not fit.
std::optional<std::size_t> parse_bytes(std::string_view text) noexcept;
std::optional<unsigned> parse_count(std::string_view text) noexcept;

inline constexpr int kUsageExit = 64;
inline constexpr int kFindingsExit = 66;

// The variable's text, or nothing if it is unset or empty.
std::optional<std::string_view> value_of(const Setting& setting) noexcept;
// Prints what was wrong with the variable's value and what it may be, and ends the program with code 64.
[[noreturn]] void reject(const Setting& setting, std::string_view value) noexcept;

}  // namespace anyorder::support
