// Every access of a run, by location, to the byte.
//
// A location is a range of bytes whose accesses have been the same so far; an access to part of it splits it.
// One step's accesses of one kind to a location are kept once, with the place in the code of the first; a
// read by a step that has written there is left out, since it conflicts with nothing new.
//
// Contract: not thread-safe; the detector holds its lock around it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "detect/graph/computation_graph.hpp"
#include "findings/race.hpp"

namespace anyorder::detect::graph {

struct LoggedAccess {
  StepId step;
  findings::AccessKind kind;
  std::uintptr_t site;
};

[[nodiscard]] constexpr bool conflict(const LoggedAccess& a, const LoggedAccess& b) {
  return a.kind == findings::AccessKind::write || b.kind == findings::AccessKind::write;
}

struct Location {
  std::uintptr_t begin;
  std::uintptr_t end;  // one past the last byte
  std::vector<LoggedAccess> accesses{};
  std::vector<std::uint32_t> writes{};  // which of them are, by index

  // Calls f with each access that conflicts with one of that kind: reads conflict with writes alone, and
  // there may be a million reads.
  template <class F>
  void for_each_conflicting(findings::AccessKind kind, F f) const {
    if (kind == findings::AccessKind::write) {
      for (const LoggedAccess& access : accesses) f(access);
    } else {
      for (const std::uint32_t index : writes) f(accesses[index]);
    }
  }
  void add(const LoggedAccess& access) {
    if (access.kind == findings::AccessKind::write) {
      writes.push_back(static_cast<std::uint32_t>(accesses.size()));
    }
    accesses.push_back(access);
  }
};

class AccessLog {
 public:
  // Calls seen(location) for each location that is new to the access, before the access is added to it.
  template <class Seen>
  void add(std::uintptr_t address, std::size_t bytes, const LoggedAccess& access, Seen seen) {
    cover(address, address + bytes);
    for (auto at = live_.lower_bound(address); at != live_.end() && at->first < address + bytes; ++at) {
      if (holds(at->second, access)) continue;
      seen(static_cast<const Location&>(at->second));
      at->second.add(access);
    }
  }

  // What is accessed there from now on is another location.
  void forget(std::uintptr_t address, std::size_t bytes);

  // The forgotten ones first, then those in use by address.
  [[nodiscard]] std::vector<const Location*> locations() const;

 private:
  // Only the last accesses are looked at: in a serial run a step's own are there. To keep one twice does no
  // harm.
  static bool holds(const Location& location, const LoggedAccess& access) {
    constexpr std::ptrdiff_t kLookedAt = 64;
    const auto begin = location.accesses.rbegin();
    const auto end = begin + std::min(kLookedAt, std::ssize(location.accesses));
    return std::any_of(begin, end, [&](const LoggedAccess& other) {
      return other.step == access.step &&
             (other.kind == access.kind || other.kind == findings::AccessKind::write);
    });
  }
  // Makes locations begin and end at the two addresses.
  void split(std::uintptr_t address);
  // Makes [begin, end) a row of whole locations.
  void cover(std::uintptr_t begin, std::uintptr_t end);

  std::map<std::uintptr_t, Location> live_;  // by first byte; disjoint
  std::vector<Location> forgotten_;
};

}  // namespace anyorder::detect::graph
