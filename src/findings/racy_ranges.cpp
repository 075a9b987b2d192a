#include "findings/racy_ranges.hpp"

#include <iterator>

namespace anyorder::findings {

RacyRanges::Map::const_iterator RacyRanges::range_at_or_after(std::uintptr_t address) const {
  const auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return after;
  const auto before = std::prev(after);
  return before->second.end > address ? before : after;
}

bool RacyRanges::covers(std::uintptr_t begin, std::uintptr_t end, const Witness& witness) const {
  std::uintptr_t covered = begin;
  for (auto it = range_at_or_after(begin); covered < end; ++it) {
    if (it == ranges_.end() || it->first > covered || witness < it->second.witness) return false;
    covered = it->second.end;
  }
  return true;
}

void RacyRanges::split(std::uintptr_t address) {
  auto it = ranges_.lower_bound(address);
  if (it == ranges_.begin()) return;
  Range& left = std::prev(it)->second;
  if (left.end <= address) return;
  ranges_.emplace_hint(it, address, left);
  left.end = address;
}

void RacyRanges::add(std::uintptr_t begin, std::uintptr_t end, const Witness& witness) {
  split(begin);
  split(end);
  auto it = ranges_.lower_bound(begin);
  for (std::uintptr_t at = begin; at < end;) {
    if (it == ranges_.end() || it->first > at) {
      const std::uintptr_t gap_end = it == ranges_.end() || it->first > end ? end : it->first;
      ranges_.emplace_hint(it, at, Range{gap_end, witness});
      at = gap_end;
    } else {
      if (witness < it->second.witness) it->second.witness = witness;
      at = it->second.end;
      ++it;
    }
  }
  merge_neighbours(begin, end);
}

void RacyRanges::merge_neighbours(std::uintptr_t begin, std::uintptr_t end) {
  auto it = ranges_.lower_bound(begin);
  if (it != ranges_.begin()) --it;
  for (auto next = std::next(it); next != ranges_.end() && next->first <= end;) {
    if (it->second.end == next->first && it->second.witness == next->second.witness) {
      it->second.end = next->second.end;
      next = ranges_.erase(next);
    } else {
      it = next++;
    }
  }
}

}  // namespace anyorder::findings
