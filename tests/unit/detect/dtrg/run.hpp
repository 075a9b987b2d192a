// A Program, run serially by this detector.
#pragma once

#include "../checked.hpp"
#include "detect/dtrg/dtrg.hpp"

namespace anyorder::detect::dtrg {

using Checked = CheckedSerially<Dtrg>;

}  // namespace anyorder::detect::dtrg
