// A Program, run serially by the oracle.
#pragma once

#include "../checked.hpp"
#include "detect/graph/graph.hpp"

namespace anyorder::detect::graph {

using Checked = CheckedSerially<Graph>;

}  // namespace anyorder::detect::graph
