#include <optional>
#include <ostream>
#include <string>

#include "futures/output.hpp"
#include "futures/suite.hpp"
#include "runs/bar_chart.hpp"

namespace bench::suite {
namespace {

std::optional<double> median(const ProgramResults& program, std::size_t column) {
  const auto found = ratios(program, column, kTime, kSerial);
  return found ? std::optional(found->median) : std::nullopt;
}

}  // namespace

void write_svg(std::ostream& out, const Measurements& all) {
  BarChart chart{
      "Slowdown next to the serial version, logarithmic",
      "Slowdowns next to the serial version",
      {{"paper", "paper (RV 2016)", kGrey}, {"checked", "anyorder, " + std::string(kDetector), kBlue}},
      {}};
  if (has_tsan(all)) chart.series.push_back({"tsan", "ThreadSanitizer", kOrange});
  for (const ProgramResults& program : all.programs) {
    const Published* const published = published_about(program.name);
    BarGroup group{program.name,
                   {published != nullptr ? std::optional(published->slowdown) : std::nullopt,
                    median(program, kChecked)}};
    if (has_tsan(all)) group.bars.push_back(median(program, kTsan));
    chart.groups.push_back(std::move(group));
  }
  bench::write_svg(out, chart);
}

}  // namespace bench::suite
