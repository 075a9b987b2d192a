// Places in the program's code where tasks are created, as numbers from 0 on.
//
// Contract: one thread. Places stay.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "events/listener.hpp"
#include "support/check.hpp"

namespace anyorder::detect::history {

// Texts of the program's are told apart by where they are.
struct SamePlace {
  bool operator()(const events::SourceSite& a, const events::SourceSite& b) const noexcept {
    return a.line == b.line && a.file == b.file && a.function == b.function;
  }
};
struct HashOfPlace {
  std::size_t operator()(const events::SourceSite& at) const noexcept {
    return reinterpret_cast<std::uintptr_t>(at.file) + at.line;
  }
};

// All places, each with one number.
class CreationPlaces {
 public:
  [[nodiscard]] std::uint32_t id_of(const events::SourceSite& at) {
    const auto [known, is_new] = ids_.try_emplace(at, static_cast<std::uint32_t>(places_.size()));
    if (is_new) {
      ANYORDER_CHECK(places_.size() < kMost, "more places in the program's code than 32 bits can number");
      places_.push_back(at);
    }
    return known->second;
  }
  [[nodiscard]] const events::SourceSite& operator[](std::uint32_t id) const { return places_[id]; }

 private:
  static constexpr std::uint32_t kMost = ~std::uint32_t{0} - 1;

  std::unordered_map<events::SourceSite, std::uint32_t, HashOfPlace, SamePlace> ids_;
  std::vector<events::SourceSite> places_;
};

// Numbers that were asked for lately. Few places create most tasks, so that this is a look at one entry.
// Measured against remembering the last place only: 6 instructions more where one place creates all tasks, 44
// fewer where two take turns.
template <std::size_t kPlaces>
class RecentCreations {
 public:
  // `find()` says what is not known.
  template <class Find>
  [[nodiscard]] std::uint32_t id_of(const events::SourceSite& at, Find find) {
    Recent& recent = recent_[HashOfPlace{}(at) % kPlaces];
    if (recent.id == kNone || !SamePlace{}(recent.place, at)) [[unlikely]]
      recent = {at, find()};
    return recent.id;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Recent {
    events::SourceSite place{};
    std::uint32_t id = kNone;
  };
  std::array<Recent, kPlaces> recent_{};
};

class Creations {
 public:
  [[nodiscard]] std::uint32_t id_of(const events::SourceSite& at) {
    return recent_.id_of(
        at, [&]() __attribute__((noinline)) { return places_.id_of(at); });
  }
  [[nodiscard]] const events::SourceSite& operator[](std::uint32_t id) const { return places_[id]; }

 private:
  RecentCreations<256> recent_;
  CreationPlaces places_;
};

}  // namespace anyorder::detect::history
