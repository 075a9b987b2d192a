#include "findings/origin.hpp"

#include <algorithm>
#include <iterator>

namespace anyorder::findings {
namespace {

Access access_of(OriginatedAccess made) {
  return {made.kind,
          made.origin.tasks.front(),
          Trace({Frame{made.place, {}}}),
          Trace(std::move(made.origin.created_at)),
          {}};
}

}  // namespace

Race race_between(std::uintptr_t begin, std::uintptr_t end, OriginatedAccess first, OriginatedAccess second) {
  const std::vector<std::uint64_t> ways[2] = {std::move(first.origin.tasks), std::move(second.origin.tasks)};
  first.origin.tasks = {ways[0].front()};
  second.origin.tasks = {ways[1].front()};
  Race race{begin, end - begin, access_of(std::move(first)), access_of(std::move(second)), {}};
  const auto common = std::find_first_of(ways[0].begin(), ways[0].end(), ways[1].begin(), ways[1].end());
  if (common == ways[0].end()) return race;
  const auto distance_in = [&](const std::vector<std::uint64_t>& way) {
    return static_cast<std::uint32_t>(std::distance(way.begin(), std::find(way.begin(), way.end(), *common)));
  };
  race.first.parting = {*common, distance_in(ways[0])};
  race.second.parting = {*common, distance_in(ways[1])};
  return race;
}

}  // namespace anyorder::findings
