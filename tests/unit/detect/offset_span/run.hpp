// A Program, run by this detector in an order that a seed chooses.
#pragma once

#include "../checked_in_any_order.hpp"
#include "detect/offset_span/offset_span.hpp"

namespace anyorder::detect::offset_span {

using Checked = CheckedInAnyOrder<OffsetSpan>;

}  // namespace anyorder::detect::offset_span
