// Values that are told by a number of 32 bits, each value by one: the sites of accesses and of creations.
//
// Contract: one thread at a time. Values stay. Numbers count from 0 and stay below 2^32 - 256, which leaves
// the words that the shadow needs for itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "support/check.hpp"

namespace anyorder::detect::history {

template <class T, class Hash>
class Interned {
 public:
  [[nodiscard]] std::uint32_t id_of(const T& value) {
    // Few sites make most accesses, and they come again soon.
    Recent& recent = recent_[Hash{}(value) % recent_.size()];
    if (recent.known && recent.value == value) return recent.id;
    const auto [at, is_new] = ids_.try_emplace(value, static_cast<std::uint32_t>(values_.size()));
    if (is_new) {
      ANYORDER_CHECK(values_.size() < kMost, "more places in the program's code than 32 bits can number");
      values_.push_back(value);
    }
    recent = {value, at->second, true};
    return at->second;
  }
  [[nodiscard]] const T& operator[](std::uint32_t id) const { return values_[id]; }

 private:
  static constexpr std::size_t kMost = 0xffff'ff00U;

  struct Recent {
    T value{};
    std::uint32_t id = 0;
    bool known = false;
  };
  std::array<Recent, 256> recent_{};
  std::unordered_map<T, std::uint32_t, Hash> ids_;
  std::vector<T> values_;
};

}  // namespace anyorder::detect::history
