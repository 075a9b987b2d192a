// A deadlock: a cycle of tasks, each of which waits for the next.
//
// Contract: a value; no thread affinity.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "findings/source.hpp"

namespace anyorder::findings {

enum class WaitKind : std::uint8_t { get, end_of_finish };

[[nodiscard]] constexpr std::string_view to_string(WaitKind kind) {
  return kind == WaitKind::get ? "get" : "end of finish";
}

struct Wait {
  std::uint64_t task = 0;
  WaitKind kind = WaitKind::get;
  Trace waits_at;
  Trace created_at;           // as Access::created_at
  std::uint32_t ends_at = 0;  // the last line of a finish, at which it waits; 0: not known

  friend std::strong_ordering operator<=>(const Wait&, const Wait&) = default;
  friend bool operator==(const Wait&, const Wait&) = default;
};

struct Deadlock {
  // Each waits for the next one's task, the last for the first's; not empty; no task twice. A task
  // that waits for itself is a cycle of one.
  std::vector<Wait> cycle;

  friend std::strong_ordering operator<=>(const Deadlock&, const Deadlock&) = default;
  friend bool operator==(const Deadlock&, const Deadlock&) = default;
};

}  // namespace anyorder::findings
