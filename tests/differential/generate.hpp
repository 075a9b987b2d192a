// Random programs, from a seed.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "program.hpp"

namespace anyorder::differential {

// Which constructs a program may have. A detector gets the families that it accepts.
enum class Family : std::uint8_t {
  loops,     // nested forall
  asyncs,    // async, finish, forall, forasync
  futures,   // and futures with handles that go everywhere
  isolated,  // asyncs and isolated sections
  all,
  regions,  // asyncs, futures and regions; no isolated sections
};
inline constexpr std::pair<Family, std::string_view> kFamilies[] = {
    {Family::loops, "loops"},       {Family::asyncs, "asyncs"}, {Family::futures, "futures"},
    {Family::isolated, "isolated"}, {Family::all, "all"},       {Family::regions, "regions"}};
[[nodiscard]] constexpr std::string_view name_of(Family family) {
  return kFamilies[static_cast<std::size_t>(family)].second;
}

// The same program for the same seed and family, on every machine. Its name tells both.
[[nodiscard]] Program generate(Family family, std::uint64_t seed);

}  // namespace anyorder::differential
