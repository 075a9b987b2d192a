// Places for the bytes of a word (history/byte_sites.hpp), for several threads.
//
// Contract: any thread; one lock inside. Asked for what no thread has met before, and for reports.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "detect/history/byte_sites.hpp"
#include "detect/shared_history/cell.hpp"
#include "detect/shared_history/ids.hpp"
#include "events/quick_steps.hpp"

namespace anyorder::detect::shared_history {

class SharedByteSites {
 public:
  [[nodiscard]] PlaceId at(PlaceId place, unsigned byte) const {
    if (place < kMostPlaces) return place;
    const std::lock_guard lock(mutex_);
    return sites_.at(place, byte);
  }
  // Adds the bytes of the other, of the same doing. False: there is no number left for it.
  [[nodiscard]] bool merge(Entry& to, Entry other, events::QuickMerges& known) {
    if (merge_as_known(to, other, known)) return true;
    const std::lock_guard lock(mutex_);
    const std::optional<PlaceId> place = sites_.with(to.place(), to.bytes(), other.place(), other.bytes());
    if (!place) return false;
    const Entry both = to.at_place(*place, to.bytes() | other.bytes());
    known.add(to.word(), other.word(), both.word());
    to = both;
    return true;
  }
  // The same if the thread has met it.
  [[nodiscard]] static bool merge_as_known(Entry& to, Entry other,
                                           const events::QuickMerges& known) noexcept {
    std::uint64_t both = 0;
    if (!known.merge(to.word(), other.word(), both)) return false;
    to = Entry::of_word(both);
    return true;
  }

 private:
  mutable std::mutex mutex_;  // guards the next
  history::ByteSites sites_;
};

}  // namespace anyorder::detect::shared_history
