// Where the task of an access comes from: the places where it, its parent, its grandparent… were created, and
// where the ways to the two tasks of a race part.
//
// Contract: values and a function without state; no thread affinity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "findings/race.hpp"

namespace anyorder::findings {

struct Origin {
  // Nesting may be a million deep.
  static constexpr std::size_t kMostCreations = 32;

  std::vector<std::uint64_t> tasks;  // the task, its parent…; the one that nobody created is last, if reached
  Trace::Frames created_at;          // of each of them; that one has none

  [[nodiscard]] bool is_complete() const { return tasks.size() > created_at.size(); }
};

// creation_of(task) is the place with the parent's number, or nothing for a task that nobody created.
template <class CreationOf>
[[nodiscard]] Origin origin_of(std::uint64_t task, CreationOf creation_of) {
  Origin origin;
  for (std::uint64_t at = task; origin.created_at.size() < Origin::kMostCreations;) {
    origin.tasks.push_back(at);
    std::optional<std::pair<Frame, std::uint64_t>> creation = creation_of(at);
    if (!creation) break;
    origin.created_at.push_back(std::move(creation->first));
    at = creation->second;
  }
  return origin;
}

struct OriginatedAccess {
  AccessKind kind;
  std::uintptr_t place;  // as the detector knows it; whoever takes the race knows what it stands for
  Origin origin;         // not empty
};

// Memory is left to whoever knows it.
[[nodiscard]] Race race_between(std::uintptr_t begin, std::uintptr_t end, OriginatedAccess first,
                                OriginatedAccess second);

}  // namespace anyorder::findings
