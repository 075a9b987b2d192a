// The numbers that this detector shares with its history of accesses.
#pragma once

#include "detect/history/ids.hpp"

namespace anyorder::detect::dtrg {

using history::kMostTasks;
using history::kNoTask;
using history::kRoot;
using history::SiteId;
using history::TaskId;

}  // namespace anyorder::detect::dtrg
