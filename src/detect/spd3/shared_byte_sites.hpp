// Places for the bytes of a word (history/byte_sites.hpp), for several threads.
//
// Contract: any thread; one lock inside. Asked for what no thread has met before, and for reports.
#pragma once

#include <mutex>
#include <optional>

#include "detect/history/byte_sites.hpp"
#include "detect/spd3/cell.hpp"
#include "detect/spd3/ids.hpp"

namespace anyorder::detect::spd3 {

class SharedByteSites {
 public:
  [[nodiscard]] PlaceId at(PlaceId place, unsigned byte) const {
    if (place < kMostPlaces) return place;
    const std::lock_guard lock(mutex_);
    return sites_.at(place, byte);
  }
  // Adds the bytes of the other, of the same step. False: there is no number left for it.
  [[nodiscard]] bool merge(Entry& to, Entry other) {
    if (to.merge(other)) return true;
    if (!to.same_step(other)) return false;
    const std::lock_guard lock(mutex_);
    const std::optional<PlaceId> both = sites_.with(to.place(), to.bytes(), other.place(), other.bytes());
    if (both) to = Entry(to.step(), *both, to.bytes() | other.bytes());
    return both.has_value();
  }

 private:
  mutable std::mutex mutex_;  // guards the next
  history::ByteSites sites_;
};

}  // namespace anyorder::detect::spd3
