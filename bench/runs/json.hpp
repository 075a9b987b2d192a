// Samples and what follows from them as JSON, for the files that drivers write. What is not there is null.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "runs/measurements.hpp"

namespace bench {

using Json = nlohmann::ordered_json;

// The values of all rounds.
[[nodiscard]] Json json_of(const Series& series, Quantity quantity);
[[nodiscard]] Json json_of(const std::optional<Spread>& spread);
[[nodiscard]] Json json_of(const std::optional<Mean>& mean);

}  // namespace bench
