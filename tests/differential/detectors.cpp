#include "detectors.hpp"

#include <stdexcept>

#include "detect/registered.hpp"

namespace anyorder::differential {

using events::Construct;

const std::vector<DetectorChoice>& registered_detectors() {
  static const std::vector<DetectorChoice> kAll{
#define ANYORDER_CHOICE(name, type)                                       \
  {#name, type::kTraits.accepts, type::kTraits.exact_with_leaked_handles, \
   type::kTraits.needs == events::Execution::parallel},
      ANYORDER_FOR_EACH_DETECTOR(ANYORDER_CHOICE)
#undef ANYORDER_CHOICE
  };
  return kAll;
}

const DetectorChoice& detector_named(std::string_view name) {
  for (const DetectorChoice& choice : registered_detectors()) {
    if (choice.name == name) return choice;
  }
  throw std::out_of_range(std::string(name) + " is not registered");
}

std::string title_of(const DetectorChoice& detector) {
  return detector.workers == 0 ? detector.name : detector.name + " at " + std::to_string(detector.workers);
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
    case Family::regions:
      return accepts(detector, Family::futures);
    case Family::all:
      return accepts(detector, Family::futures) && accepts(detector, Family::isolated);
  }
  return false;
}

bool accepts(const DetectorChoice& detector, const Prediction& program) {
  if (detector.runs_in_parallel && program.depends_on_schedule) return false;
  if (!accepts(detector, program.is_fork_join ? Family::loops : Family::asyncs)) return false;
  return (!program.uses_futures || detector.accepts.contains(Construct::futures)) &&
         (!program.uses_isolated || detector.accepts.contains(Construct::isolated));
}

}  // namespace anyorder::differential
