// Every access of a run, by location, to the byte.
//
// A location is a range of bytes whose accesses have been the same so far; an access to part of it splits it.
// One step's accesses of one kind to a location are kept once, with the place in the code of the first; a
// read by a step that has written there is left out, since it conflicts with nothing new. Of one task's
// accesses from the same place in the code, the last stands for all that it supersedes.
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
#include "events/detector.hpp"
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
  std::vector<std::uint32_t> writes{};     // which of them are, by index
  std::vector<LoggedAccess> superseded{};  // for what comes later they need not be looked at

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
  [[nodiscard]] std::vector<LoggedAccess> all() const {
    std::vector<LoggedAccess> all = accesses;
    all.insert(all.end(), superseded.begin(), superseded.end());
    return all;
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
  // Calls seen(location) for each location that is new to the access, before the access is added to it. Where
  // supersedes(step, other) holds, what races with a like access of the other step races with one of this
  // step as well, and one entry stands for both.
  template <class Seen, class Supersedes>
  void add(std::uintptr_t address, std::size_t bytes, const LoggedAccess& access, Seen seen,
           Supersedes supersedes) {
    cover(address, address + bytes);
    for (auto at = live_.lower_bound(address); at != live_.end() && at->first < address + bytes; ++at) {
      Location& location = at->second;
      if (holds(location, access)) continue;
      seen(static_cast<const Location&>(location));
      const auto like = find_last(location, [&](const LoggedAccess& other) {
        return other.kind == access.kind && events::place_of(other.site) == events::place_of(access.site) &&
               supersedes(access.step, other.step);
      });
      if (like == nullptr) {
        location.add(access);
      } else {
        location.superseded.push_back(*like);
        *like = access;
      }
    }
  }

  // What is accessed there from now on is another location.
  void forget(std::uintptr_t address, std::size_t bytes);

  // The forgotten ones first, then those in use by address.
  [[nodiscard]] std::vector<const Location*> locations() const;

 private:
  // The youngest of the last accesses of which it is true, or null. More are not looked at: in a serial run a
  // step's own are there, and to keep one twice does no harm.
  template <class Predicate>
  static LoggedAccess* find_last(Location& location, Predicate predicate) {
    constexpr std::ptrdiff_t kLookedAt = 64;
    const auto begin = location.accesses.rbegin();
    const auto end = begin + std::min(kLookedAt, std::ssize(location.accesses));
    const auto found = std::find_if(begin, end, predicate);
    return found == end ? nullptr : &*found;
  }
  static bool holds(Location& location, const LoggedAccess& access) {
    return find_last(location, [&](const LoggedAccess& other) {
             return other.step == access.step &&
                    (other.kind == access.kind || other.kind == findings::AccessKind::write);
           }) != nullptr;
  }
  // Makes locations begin and end at the two addresses.
  void split(std::uintptr_t address);
  // Makes [begin, end) a row of whole locations.
  void cover(std::uintptr_t begin, std::uintptr_t end);

  std::map<std::uintptr_t, Location> live_;  // by first byte; disjoint
  std::vector<Location> forgotten_;
};

}  // namespace anyorder::detect::graph
