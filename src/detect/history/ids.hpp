// The numbers by which serial detectors name tasks and sites: 31 bits for tasks, as a cell has a mark beside
// them, and 24 for sites, which share a word of a cell with a mask.
#pragma once

#include <cstdint>

namespace anyorder::detect::history {

using TaskId = std::uint32_t;  // in the order of creation; the root is 0
using SiteId = std::uint32_t;  // the front end's number of a site, or one of byte_sites.hpp

inline constexpr TaskId kNoTask = ~TaskId{0};
inline constexpr TaskId kRoot = 0;
inline constexpr TaskId kMostTasks = (TaskId{1} << 31U) - 2;

// The 24 bits of a cell: sites of the front end, from 1 on; then combinations of them; then logs of readers,
// for detectors that have them.
inline constexpr SiteId kMostPlainSites = SiteId{1} << 22U;
inline constexpr SiteId kMostSites = SiteId{1} << 23U;
inline constexpr std::uint32_t kFirstLog = kMostSites;
// A place that is not known: one of the front end whose number is too high.
inline constexpr SiteId kNoSite = 0;

}  // namespace anyorder::detect::history
