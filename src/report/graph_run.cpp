// The second run of an explained check.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "report/report.hpp"
#include "report/signals.hpp"
#include "report/wording.hpp"

namespace anyorder::report {

void add_graph_run(Report& report, Report graph_run) {
  using Sites = std::pair<findings::Site, findings::Site>;
  std::set<Sites> seen_again;
  for (const findings::RaceGroup& group : graph_run.findings.races) {
    seen_again.insert(sites_of(group.races.front().first.stack, group.races.front().second.stack));
  }
  const auto missing =
      std::count_if(report.findings.races.begin(), report.findings.races.end(), [&](const auto& group) {
        const findings::Race& race = group.races.front();
        return !seen_again.contains(sites_of(race.first.stack, race.second.stack));
      });
  const RunFacts& run = graph_run.run;
  if (run.signal != 0) {
    report.notes.push_back("The second run, for what is missing, was ended by " + signal_name(run.signal) +
                           '.');
  } else if (missing > 0) {
    report.notes.push_back(
        "The second run, for what is missing, was not like the first: it had no race at " +
        counted(static_cast<std::uint64_t>(missing), "pair of source lines", "pairs of source lines") +
        " of those above.");
  }
  report.remedies = std::move(graph_run.remedies);
}

}  // namespace anyorder::report
