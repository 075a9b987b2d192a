#include "futures/suite.hpp"

namespace bench::suite {

std::vector<Column> columns(bool with_tsan) {
  std::vector<Column> all{{Way::serial, "serial"}, {Way::plain, "plain"}, {Way::detector, kDetector}};
  if (with_tsan) all.push_back({Way::tsan, "tsan"});
  return all;
}

std::optional<Counts> counts_of(const ProgramResults& program) {
  if (!program.counters) return std::nullopt;
  return Counts{
      program.counters->tasks, static_cast<std::uint64_t>(statistic(program, "non_tree_joins").value_or(0)),
      program.counters->reads + program.counters->writes, statistic(program, "average_readers").value_or(0)};
}

std::optional<Mean> published_mean(const Measurements& all) {
  std::vector<double> slowdowns;
  for (const ProgramResults& program : all.programs) {
    if (const Published* const published = published_about(program.name)) {
      slowdowns.push_back(published->slowdown);
    }
  }
  return geometric_mean(slowdowns);
}

}  // namespace bench::suite
