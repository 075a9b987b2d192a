// The racy bytes that one pair of sites found in one object, each with one witness.
//
// Contract: not thread-safe; FindingSet holds its lock around it. The content is a function of the
// set of reports alone, whatever their order: every reported byte and no other, each with the
// smallest witness that was reported for it.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>

#include "findings/race.hpp"

namespace anyorder::findings {

// The two accesses that show that a byte is racy.
struct Witness {
  Access first;
  Access second;

  // By task numbers before all else: of many reports of one byte the earliest tasks are kept.
  friend std::strong_ordering operator<=>(const Witness& a, const Witness& b) {
    if (const auto order = a.first.task <=> b.first.task; order != 0) return order;
    if (const auto order = a.second.task <=> b.second.task; order != 0) return order;
    if (const auto order = a.first <=> b.first; order != 0) return order;
    return a.second <=> b.second;
  }
  friend bool operator==(const Witness&, const Witness&) = default;
};

class RacyRanges {
 public:
  struct Range {
    std::uintptr_t end;  // one past the last byte; greater than the key
    Witness witness;
  };
  using Map = std::map<std::uintptr_t, Range>;  // first byte → range

  // True if every byte of [begin, end) has this witness or a smaller one: adding changes nothing.
  [[nodiscard]] bool covers(std::uintptr_t begin, std::uintptr_t end, const Witness& witness) const;

  void add(std::uintptr_t begin, std::uintptr_t end, const Witness& witness);

  [[nodiscard]] const Map& ranges() const { return ranges_; }

 private:
  [[nodiscard]] Map::const_iterator range_at_or_after(std::uintptr_t address) const;
  void split(std::uintptr_t address);
  void merge_neighbours(std::uintptr_t begin, std::uintptr_t end);

  Map ranges_;  // disjoint; ranges that touch have different witnesses
};

}  // namespace anyorder::findings
