#include "detect/graph/access_log.hpp"

#include <iterator>
#include <utility>

namespace anyorder::detect::graph {

void AccessLog::split(std::uintptr_t address) {
  const auto after = live_.lower_bound(address);
  if (after == live_.begin()) return;
  Location& left = std::prev(after)->second;
  if (left.end <= address) return;
  Location right = left;
  right.begin = address;
  left.end = address;
  live_.emplace_hint(after, address, std::move(right));
}

void AccessLog::cover(std::uintptr_t begin, std::uintptr_t end) {
  split(begin);
  split(end);
  auto next = live_.lower_bound(begin);
  for (std::uintptr_t at = begin; at < end;) {
    if (next != live_.end() && next->first == at) {
      at = next->second.end;
      ++next;
    } else {
      const std::uintptr_t gap_end = next == live_.end() ? end : std::min(end, next->first);
      live_.emplace_hint(next, at, Location{at, gap_end});
      at = gap_end;
    }
  }
}

void AccessLog::forget(std::uintptr_t address, std::size_t bytes) {
  split(address);
  split(address + bytes);
  const auto first = live_.lower_bound(address);
  const auto last = live_.lower_bound(address + bytes);
  for (auto at = first; at != last; ++at) {
    // One access makes no pair; and most of a task's stack has no other.
    if (at->second.accesses.size() + at->second.superseded.size() > 1)
      forgotten_.push_back(std::move(at->second));
  }
  live_.erase(first, last);
}

std::vector<const Location*> AccessLog::locations() const {
  std::vector<const Location*> all;
  all.reserve(forgotten_.size() + live_.size());
  for (const Location& location : forgotten_) all.push_back(&location);
  for (const auto& [begin, location] : live_) all.push_back(&location);
  return all;
}

}  // namespace anyorder::detect::graph
