#include "detectors.hpp"

#include <algorithm>

#include "detect/registered.hpp"

namespace anyorder::differential {

using events::Construct;

const std::vector<DetectorChoice>& registered_detectors() {
  static const std::vector<DetectorChoice> kAll{
#define ANYORDER_CHOICE(name, type) {#name, type::kTraits.accepts, type::kTraits.exact_with_leaked_handles},
      ANYORDER_FOR_EACH_DETECTOR(ANYORDER_CHOICE)
#undef ANYORDER_CHOICE
  };
  return kAll;
}

bool exact_with_leaked_handles(const std::string& detector) {
  const auto& all = registered_detectors();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& choice) { return choice.name == detector; });
  return found == all.end() || found->exact_with_leaked_handles;
}

bool accepts(const DetectorChoice& detector, Family family) {
  const events::Constructs accepted = detector.accepts;
  switch (family) {
    case Family::loops:
      return accepted.contains(Construct::fork_join) || accepted.contains(Construct::async_finish);
    case Family::asyncs:
      return accepted.contains(Construct::async_finish);
    case Family::futures:
      return accepted.contains(Construct::async_finish) && accepted.contains(Construct::futures);
    case Family::isolated:
      return accepted.contains(Construct::async_finish) && accepted.contains(Construct::isolated);
    case Family::all:
      return accepts(detector, Family::futures) && accepts(detector, Family::isolated);
  }
  return false;
}

bool accepts(const DetectorChoice& detector, const Prediction& program) {
  if (!accepts(detector, program.is_fork_join ? Family::loops : Family::asyncs)) return false;
  return (!program.uses_futures || detector.accepts.contains(Construct::futures)) &&
         (!program.uses_isolated || detector.accepts.contains(Construct::isolated));
}

}  // namespace anyorder::differential
