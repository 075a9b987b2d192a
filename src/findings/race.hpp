// A race: two conflicting accesses of tasks that nothing puts in order, and the memory they meet in.
//
// Contract: values; no thread affinity. `first` is the access that the detector knew already and
// `second` the one at which it noticed. A parallel detector may see them in either order.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "findings/own_code.hpp"
#include "findings/source.hpp"

namespace anyorder::findings {

enum class AccessKind : std::uint8_t { read, write };

[[nodiscard]] constexpr std::string_view to_string(AccessKind kind) {
  return kind == AccessKind::read ? "read" : "write";
}

// The task from which the tasks of both accesses come, and how far it is.
struct Parting {
  std::uint64_t task = 0;
  std::uint32_t generations = 0;  // so many of created_at are on this access's way alone

  friend std::strong_ordering operator<=>(const Parting&, const Parting&) = default;
  friend bool operator==(const Parting&, const Parting&) = default;
};

struct Access {
  AccessKind kind = AccessKind::read;
  std::uint64_t task = 0;  // the number that the events gave the task
  Trace stack;             // innermost frame: the access; the callers only as far as they were kept
  Trace created_at;        // innermost frame: where the task was created; then where its parent was…
  std::optional<Parting> parting = {};  // nothing: too far up to be known

  // The place that a reader looks for it.
  [[nodiscard]] const Frame& site() const { return frame_in_own_code(stack); }
  // What is accessed, in the words of the source; empty: not known.
  [[nodiscard]] const std::string& expression() const { return stack.innermost().expression; }

  friend std::strong_ordering operator<=>(const Access&, const Access&) = default;
  friend bool operator==(const Access&, const Access&) = default;
};

struct UnknownMemory {
  friend std::strong_ordering operator<=>(const UnknownMemory&, const UnknownMemory&) = default;
  friend bool operator==(const UnknownMemory&, const UnknownMemory&) = default;
};

struct GlobalMemory {
  std::string symbol;  // demangled

  friend std::strong_ordering operator<=>(const GlobalMemory&, const GlobalMemory&) = default;
  friend bool operator==(const GlobalMemory&, const GlobalMemory&) = default;
};

struct HeapMemory {
  Trace allocated_at;
  std::uint64_t bytes = 0;  // of the whole block; 0: not known

  friend std::strong_ordering operator<=>(const HeapMemory&, const HeapMemory&) = default;
  friend bool operator==(const HeapMemory&, const HeapMemory&) = default;
};

struct LocalMemory {
  std::string function;
  std::string variable;   // empty: debug information does not tell
  std::uintptr_t pc = 0;  // code of the function that owns the stack frame; for the symbolizer
  std::uintptr_t cfa =
      0;  // the frame's canonical address: the caller's stack pointer before the call; 0: unknown

  friend std::strong_ordering operator<=>(const LocalMemory&, const LocalMemory&) = default;
  friend bool operator==(const LocalMemory&, const LocalMemory&) = default;
};

// The object that a racy location lies in.
struct Memory {
  // The object's first byte; 0 if that is not known, as in unknown memory and in a local before symbolizing.
  std::uintptr_t base = 0;
  std::variant<UnknownMemory, GlobalMemory, HeapMemory, LocalMemory> object;

  friend std::strong_ordering operator<=>(const Memory&, const Memory&) = default;
  friend bool operator==(const Memory&, const Memory&) = default;
};

enum class RaceKind : std::uint8_t { write_write, write_read, read_write };

[[nodiscard]] constexpr std::string_view to_string(RaceKind kind) {
  switch (kind) {
    case RaceKind::write_write:
      return "write-write";
    case RaceKind::write_read:
      return "write-read";
    case RaceKind::read_write:
      return "read-write";
  }
  return {};
}

struct Race {
  std::uintptr_t address = 0;
  std::uint64_t size = 0;  // bytes, at least 1; every one of them is racy
  Access first;            // at least one of the two is a write
  Access second;
  Memory memory;  // holds all of [address, address + size) unless unknown

  [[nodiscard]] RaceKind kind() const {
    if (first.kind == AccessKind::read) return RaceKind::read_write;
    return second.kind == AccessKind::read ? RaceKind::write_read : RaceKind::write_write;
  }

  // The distance from the start of the object; meaningless if that is not known.
  [[nodiscard]] std::uint64_t offset() const { return address - memory.base; }
};

}  // namespace anyorder::findings
