// A Program, run by this detector in an order that a seed chooses.
#pragma once

#include "../checked_in_any_order.hpp"
#include "detect/spd3/spd3.hpp"

namespace anyorder::detect::spd3 {

using Checked = CheckedInAnyOrder<Spd3>;

}  // namespace anyorder::detect::spd3
