// A Program, run serially by this detector.
#pragma once

#include "../checked.hpp"
#include "detect/esp_bags/esp_bags.hpp"

namespace anyorder::detect::esp_bags {

using Checked = CheckedSerially<EspBags>;

}  // namespace anyorder::detect::esp_bags
