// What is wrong with a SARIF log, by the rules of SARIF 2.1.0 for what anyorder writes.
//
// The rules are written down here, because the schema is not: the properties that objects of each kind may
// have, those that they must have, and their values. A property that the standard has but the table has not
// is a fault, too: look it up, and add it. Beyond what a schema can say: rules by index and by name agree,
// bases of relative addresses are defined, locations and fingerprints are told apart.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace anyorder::sarif {

// As sentences that begin with the place in the log; none: it is valid.
[[nodiscard]] std::vector<std::string> faults(const nlohmann::json& log);

}  // namespace anyorder::sarif
