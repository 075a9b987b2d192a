#include "runs/json.hpp"

namespace bench {

Json json_of(const Series& series, Quantity quantity) {
  Json values = Json::array();
  for (const std::optional<Sample>& sample : series.rounds) {
    values.push_back(sample ? Json(value_of(*sample, quantity)) : Json());
  }
  return values;
}

Json json_of(const std::optional<Spread>& spread) {
  if (!spread) return {};
  return {{"least", spread->least},
          {"first_quartile", spread->first_quartile},
          {"median", spread->median},
          {"third_quartile", spread->third_quartile},
          {"most", spread->most}};
}

Json json_of(const std::optional<Mean>& mean) {
  if (!mean) return {};
  return {{"value", mean->value}, {"programs", mean->programs}};
}

}  // namespace bench
