// Places and races as a reader wants them.
#pragma once

#include <functional>
#include <string>

#include "events/listener.hpp"
#include "explore/run.hpp"

namespace anyorder::binding {

[[nodiscard]] std::string in_words(const events::SourceSite& site);
// Reads the debug information of the running process.
[[nodiscard]] std::string in_words(const exploring::RaceSeen& race,
                                   const std::function<std::string(exploring::TaskNumber)>& name_of);

}  // namespace anyorder::binding
