// The second run of an explained check.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "report/report.hpp"
#include "report/signals.hpp"
#include "report/whole_stacks.hpp"
#include "report/wording.hpp"

namespace anyorder::report {

void add_graph_run(Report& report, Report graph_run) {
  using Sites = std::pair<findings::Site, findings::Site>;
  const auto sites_of_group = [](const findings::RaceGroup& group) -> Sites {
    return sites_of(group.races.front().first.stack, group.races.front().second.stack);
  };
  std::map<Sites, const findings::RaceGroup*> seen_again;
  for (const findings::RaceGroup& group : graph_run.findings.races) {
    seen_again.emplace(sites_of_group(group), &group);
  }
  std::uint64_t missing = 0;
  std::uint64_t by_others = 0;
  for (findings::RaceGroup& group : report.findings.races) {
    const auto again = seen_again.find(sites_of_group(group));
    if (again == seen_again.end()) {
      ++missing;
    } else if (!take_stacks(group, *again->second)) {
      ++by_others;
    }
  }
  const auto pairs = [](std::uint64_t count) {
    return counted(count, "pair of source lines", "pairs of source lines");
  };
  const RunFacts& run = graph_run.run;
  if (run.signal != 0) {
    report.notes.push_back("The second run, for what is missing, was ended by " + signal_name(run.signal) +
                           '.');
  } else if (missing > 0) {
    report.notes.push_back("The second run, for what is missing, was not like the first: it had no race at " +
                           pairs(missing) + " of those above.");
  }
  if (by_others > 0) {
    report.notes.push_back("The second run, for whole call stacks, was not like the first: at " +
                           pairs(by_others) +
                           " other tasks race, or on other memory. There the stacks are those of the first "
                           "run, with the innermost calls only.");
  }
  for (const std::string& note : graph_run.notes) {
    if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end()) {
      report.notes.push_back(note);
    }
  }
  report.remedies = std::move(graph_run.remedies);
}

}  // namespace anyorder::report
