// The files through which a checked process tells the command line what it found: one folder per check, in it
// two files per process.
//
//   <pid>.findings   lines of JSON, each appended as soon as there is something to say, so that a process
//   that
//                    is killed leaves all it had found
//   <pid>.counters   a SharedCounters, mapped by the process
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "events/quick.hpp"
#include "record/run.hpp"

namespace anyorder::record {

inline constexpr const char* kFindingsSuffix = ".findings";
inline constexpr const char* kCountersSuffix = ".counters";

// What one thread counts. Others may read it at any time; a count is never read-modify-written by two.
struct alignas(64) CounterSlot {
  events::QuickCounts plain;
  std::atomic<std::uint64_t> asyncs, futures, finishes, gets, isolated, atomics;
};

inline void count(std::atomic<std::uint64_t>& counter) noexcept {
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// More threads than slots share them, and then some counts are lost.
struct SharedCounters {
  static constexpr std::size_t kSlots = 256;
  std::array<CounterSlot, kSlots> slots;

  [[nodiscard]] Counters sum() const;
};

}  // namespace anyorder::record
