#include <array>
#include <optional>
#include <ostream>
#include <string>

#include "parallel/output.hpp"
#include "runs/bar_chart.hpp"

namespace bench::parallel {
namespace {

// Of detectors, one after another, and with fewer and more workers.
constexpr std::array<std::array<Colour, 2>, 3> kColours{
    {{kPaleBlue, kBlue}, {kPaleGreen, kGreen}, {kPalePurple, kPurple}}};

// One series of bars.
struct Bars {
  Comparison comparison;
  BarSeries series;
};

// Detectors first, each with all numbers of workers. A serial detector is told next to each of them, too:
// what it is compared with is another run.
std::vector<Bars> bars_of(const Suite& suite) {
  std::vector<Bars> all;
  const std::size_t count = comparisons(suite, suite.workers.front()).size();
  for (std::size_t i = 0; i < count; ++i) {
    for (const unsigned workers : suite.workers) {
      const Comparison comparison = comparisons(suite, workers)[i];
      const std::size_t shade = workers == suite.workers.front() ? 0 : 1;
      const Colour colour =
          comparison.is_tsan ? std::array{kPaleOrange, kOrange}[shade] : kColours[i % kColours.size()][shade];
      const std::string name = comparison.name + "/" + std::to_string(workers);
      all.push_back({comparison, {name, name, colour}});
    }
  }
  return all;
}

std::optional<double> chunked_slowdown(const ProgramResults& program) {
  const Published* const published = published_about(program.name);
  if (published == nullptr || published->chunked == 0) return std::nullopt;
  return published->chunked;
}

}  // namespace

void write_svg(std::ostream& out, const Suite& suite) {
  BarChart chart{"Slowdown next to the program without a check, by workers, logarithmic",
                 "Slowdowns next to the program without a check",
                 {{"paper", "paper (PLDI 2012)", kGrey}},
                 {}};
  const std::vector<Bars> bars = bars_of(suite);
  for (const Bars& bar : bars) chart.series.push_back(bar.series);

  // The paper tells numbers of some programs, chunked, and the mean of all, fine-grained.
  BarGroup mean{"geometric mean", {kPublishedMean}};
  for (const Bars& bar : bars) {
    const auto value = geometric_mean(suite.all, bar.comparison.column, suite.time, bar.comparison.base);
    mean.bars.push_back(value ? std::optional(value->value) : std::nullopt);
  }
  for (const ProgramResults& program : suite.all.programs) {
    BarGroup group{program.name, {chunked_slowdown(program)}};
    for (const Bars& bar : bars) {
      const auto value = ratios(program, bar.comparison.column, suite.time, bar.comparison.base);
      group.bars.push_back(value ? std::optional(value->median) : std::nullopt);
    }
    chart.groups.push_back(std::move(group));
  }
  chart.groups.push_back(std::move(mean));
  bench::write_svg(out, chart);
}

}  // namespace bench::parallel
