// Places for the bytes of a word (history/byte_sites.hpp), for several threads.
//
// Contract: any thread; one lock inside. Asked for what no thread has met before, and for reports.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "detect/history/byte_sites.hpp"
#include "detect/shared_history/cell.hpp"
#include "detect/shared_history/ids.hpp"

namespace anyorder::detect::shared_history {

// How entries with different places became one lately, as far as one thread has seen it.
class KnownMerges {
 public:
  // Adds the bytes of the other, of the same doing. False: how is not known here.
  [[nodiscard]] bool merge(Entry& to, Entry other) const noexcept {
    if (to.merge(other)) return true;
    const Known& known = known_[slot_of(to, other)];
    if (known.to != key_of(to) || known.other != key_of(other)) return false;
    to = to.at_place(known.both, to.bytes() | other.bytes());
    return true;
  }
  void add(Entry to, Entry other, PlaceId both) noexcept {
    known_[slot_of(to, other)] = {key_of(to), key_of(other), both};
  }

 private:
  struct Known {
    std::uint32_t to = 0;
    std::uint32_t other = 0;
    PlaceId both = kNoPlace;
  };
  static constexpr std::size_t kKnown = 256;

  // Place and bytes.
  static std::uint32_t key_of(Entry entry) noexcept { return entry.place() << 8U | entry.bytes(); }
  static std::size_t slot_of(Entry to, Entry other) noexcept {
    return (to.place() * 31U + other.place() * 7U + to.bytes() + other.bytes() * 3U) % kKnown;
  }

  std::array<Known, kKnown> known_{};
};

class SharedByteSites {
 public:
  [[nodiscard]] PlaceId at(PlaceId place, unsigned byte) const {
    if (place < kMostPlaces) return place;
    const std::lock_guard lock(mutex_);
    return sites_.at(place, byte);
  }
  // Adds the bytes of the other, of the same doing. False: there is no number left for it.
  [[nodiscard]] bool merge(Entry& to, Entry other, KnownMerges& known) {
    if (known.merge(to, other)) return true;
    const std::lock_guard lock(mutex_);
    const std::optional<PlaceId> both = sites_.with(to.place(), to.bytes(), other.place(), other.bytes());
    if (!both) return false;
    known.add(to, other, *both);
    to = to.at_place(*both, to.bytes() | other.bytes());
    return true;
  }

 private:
  mutable std::mutex mutex_;  // guards the next
  history::ByteSites sites_;
};

}  // namespace anyorder::detect::shared_history
