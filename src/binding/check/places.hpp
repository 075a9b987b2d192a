// Where accesses were made: a code address with the calls that led there, each combination once and with a
// number, so that a detector can keep it in few bits.
//
// Contract: any thread; one lock inside. A Place lives as long as the table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "binding/check/call_stack.hpp"
#include "findings/source.hpp"

namespace anyorder::binding {

struct Place {
  std::array<std::uintptr_t, CallStack::kToldApart + 1> pcs{};  // innermost first; 0 behind the last

  [[nodiscard]] findings::Trace to_trace() const;
  friend bool operator==(const Place&, const Place&) = default;
};

// A place's number; 0 is none.
using PlaceNumber = std::uint32_t;

class Places {
 public:
  // `calls` are those that led to the pc.
  PlaceNumber at(std::uintptr_t pc, const CallStack& calls);
  [[nodiscard]] const Place& operator[](PlaceNumber number) const;

 private:
  struct Hash {
    std::size_t operator()(const Place& place) const noexcept;
  };

  mutable std::mutex mutex_;  // guards the next two
  std::unordered_map<Place, PlaceNumber, Hash> numbers_;
  std::vector<const Place*> places_;  // the keys of the map, by number less 1
};

// The numbers that a thread asked for lately, without a lock.
class RecentPlaces {
 public:
  // The number of the pc with calls of this context; or 0 if it is not known here.
  [[nodiscard, gnu::always_inline]] inline PlaceNumber find(std::uintptr_t pc,
                                                            std::uint64_t context) const noexcept {
    const std::uint64_t key = key_of(pc, context);
    const Recent& recent = recent_[slot_of(key)];
    return recent.key == key ? recent.number : 0;
  }
  void add(std::uintptr_t pc, std::uint64_t context, PlaceNumber number) noexcept {
    const std::uint64_t key = key_of(pc, context);
    recent_[slot_of(key)] = {key, number};
  }

 private:
  struct Recent {
    std::uint64_t key;
    PlaceNumber number;
  };
  static constexpr std::size_t kRecent = 2048;

  static std::uint64_t key_of(std::uintptr_t pc, std::uint64_t context) noexcept {
    return (pc ^ context) * 0x9e37'79b9'7f4a'7c15U;
  }
  static std::size_t slot_of(std::uint64_t key) noexcept { return key >> 53U; }
  static_assert(kRecent == std::size_t{1} << (64U - 53U));

  std::array<Recent, kRecent> recent_{};
};

}  // namespace anyorder::binding
