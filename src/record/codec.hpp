// Findings to JSON and back, for the record of a process. Not the JSON that users see: that is src/report/.
//
// Contract: decode throws nlohmann::json::exception or std::runtime_error on what encode did not write.
#pragma once

#include <nlohmann/json.hpp>

#include "findings/deadlock.hpp"
#include "findings/race.hpp"
#include "findings/remedy.hpp"
#include "findings/unknown_join.hpp"
#include "findings/unsupported.hpp"
#include "record/run.hpp"

namespace anyorder::record {

using Json = nlohmann::json;

[[nodiscard]] Json encode(const findings::Race& race);
[[nodiscard]] Json encode(const findings::Deadlock& deadlock);
[[nodiscard]] Json encode(const findings::UnknownJoin& join);
[[nodiscard]] Json encode(const findings::Unsupported& unsupported);
[[nodiscard]] Json encode(const findings::Remedy& remedy);
[[nodiscard]] Json encode(const ExpectedRace& expected);
[[nodiscard]] Json encode(const Module& module);

[[nodiscard]] findings::Race decode_race(const Json& json);
[[nodiscard]] findings::Deadlock decode_deadlock(const Json& json);
[[nodiscard]] findings::UnknownJoin decode_unknown_join(const Json& json);
[[nodiscard]] findings::Unsupported decode_unsupported(const Json& json);
[[nodiscard]] findings::Remedy decode_remedy(const Json& json);
[[nodiscard]] ExpectedRace decode_expected(const Json& json);
[[nodiscard]] Module decode_module(const Json& json);

}  // namespace anyorder::record
