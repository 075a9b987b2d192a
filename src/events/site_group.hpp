// Accesses of one kind that together are all bytes of a word, each at a place of its own, and are checked as
// one access of the word: a group.
//
// Their entries in the table of places (events/site.hpp) lie one behind the other, in the order of their
// bytes. So the place of the first one and the bytes at which accesses begin say all of it; together they are
// the place of the group, which is handed on like any other. Who keeps it, or tells of it, asks for its
// accesses.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "events/quick.hpp"
#include "events/site.hpp"

namespace anyorder::events {

// Above all that addresses of programs have.
inline constexpr unsigned kGroupShift = 56;

// `first` is the place of the first access; of `begins`, the lowest bit stands for the word's lowest byte.
[[nodiscard]] constexpr std::uintptr_t group_of(std::uintptr_t first, std::uintptr_t begins) noexcept {
  return begins << kGroupShift | first;
}
[[nodiscard]] constexpr bool is_group(std::uintptr_t place) noexcept { return place >> kGroupShift != 0; }
// Of a place that is no group: it.
[[nodiscard]] constexpr std::uintptr_t first_of_group(std::uintptr_t place) noexcept {
  return place & ((std::uintptr_t{1} << kGroupShift) - 1);
}

// Calls each(where it begins in the word, bytes, place) for its accesses.
template <class Each>
[[gnu::always_inline]] inline void for_each_of_group(std::uintptr_t group, Each each) {
  std::uintptr_t place = first_of_group(group);
  // Behind the word another one would begin.
  constexpr unsigned kEnd = 1U << QuickCell::kWordBytes;
  for (auto left = static_cast<unsigned>(group >> kGroupShift) | kEnd; left != kEnd;) {
    const auto begin = static_cast<unsigned>(std::countr_zero(left));
    left &= left - 1;
    each(begin, static_cast<unsigned>(std::countr_zero(left)) - begin, place);
    place += sizeof(SiteEntry);
  }
}

// Whether its accesses are one for a detector with cells as in quick.hpp. For all others, each is one.
[[nodiscard]] constexpr bool is_word(std::uintptr_t address) noexcept {
  return address % QuickCell::kWordBytes == 0;
}
// check.operator()<bytes>(address, place) for each.
template <class Check>
[[gnu::noinline]] void check_parts(std::uintptr_t address, std::uintptr_t group, Check check) {
  for_each_of_group(group, [&](unsigned begin, unsigned bytes, std::uintptr_t place) {
    if (bytes == 1) return check.template operator()<1>(address + begin, place);
    if (bytes == 2) return check.template operator()<2>(address + begin, place);
    check.template operator()<4>(address + begin, place);
  });
}
// The same, where most groups are of two halves.
template <class Check>
[[gnu::always_inline]] inline void check_one_by_one(std::uintptr_t address, std::uintptr_t group,
                                                    Check check) {
  constexpr std::uintptr_t kHalves = 0x11;
  if (group >> kGroupShift != kHalves) [[unlikely]]
    return check_parts(address, group, check);
  check.template operator()<4>(address, first_of_group(group));
  check.template operator()<4>(address + 4, first_of_group(group) + sizeof(SiteEntry));
}

}  // namespace anyorder::events
