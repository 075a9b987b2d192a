#include "runs/bar_chart.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "runs/cells.hpp"

namespace bench {
namespace {

// In pixels.
constexpr double kLeft = 64;
constexpr double kTop = 64;
constexpr double kPlotHeight = 280;
constexpr double kBelow = 40;
constexpr double kRight = 24;
constexpr double kBar = 30;
constexpr double kBetweenGroups = 28;
constexpr double kLegendEntry = 150;
constexpr double kLegendBox = 12;

std::string pixels(double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << value;
  return text.str();
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += letter;
    }
  }
  return result;
}

// A logarithmic axis, with marks at 1, 2 and 5 times the powers of ten. 1 and all bars are well
// inside.
class Axis {
 public:
  explicit Axis(const std::vector<BarGroup>& groups) {
    double least = 1;
    double most = 1;
    for (const BarGroup& group : groups) {
      for (const std::optional<double>& bar : group.bars) {
        least = std::min(least, bar.value_or(1));
        most = std::max(most, bar.value_or(1));
      }
    }
    for (int power = -6; power <= 9; ++power) {
      for (const double digit : {1.0, 2.0, 5.0}) {
        const double mark = digit * std::pow(10.0, power);
        if (mark <= 0.6 * least) marks_.assign(1, mark);
        if (mark > 0.6 * least && (marks_.empty() || marks_.back() < 1.2 * most)) marks_.push_back(mark);
      }
    }
  }
  [[nodiscard]] const std::vector<double>& marks() const { return marks_; }
  // From the top of the picture.
  [[nodiscard]] double height_of(double value) const {
    const double low = std::log(marks_.front());
    const double part = (std::log(value) - low) / (std::log(marks_.back()) - low);
    return kTop + kPlotHeight * (1 - std::clamp(part, 0.0, 1.0));
  }

 private:
  std::vector<double> marks_;
};

// The ground is drawn, too: whatever the page has behind the picture, the text stands out from it.
constexpr std::string_view kStyle = R"(<style>
  .ground { fill: #ffffff; }
  text { fill: #1f2328; font: 12px sans-serif; }
  .title { font-size: 15px; font-weight: bold; }
  .value { font-size: 10px; }
  .line { stroke: #d1d9e0; }
  .one { stroke: #59636e; }
)";
constexpr std::string_view kDarkStyle = R"(  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; }
    text { fill: #f0f6fc; }
    .line { stroke: #3d444d; }
    .one { stroke: #9198a1; }
)";

// The class that has the colour of a series.
std::string style_of(std::size_t series) { return "series" + std::to_string(series); }

void write_style(std::ostream& out, const std::vector<BarSeries>& series) {
  out << kStyle;
  for (std::size_t i = 0; i < series.size(); ++i) {
    out << "  ." << style_of(i) << " { fill: " << series[i].colour.light << "; }\n";
  }
  out << kDarkStyle;
  for (std::size_t i = 0; i < series.size(); ++i) {
    out << "    ." << style_of(i) << " { fill: " << series[i].colour.dark << "; }\n";
  }
  out << "  }\n</style>\n";
}

void write_text(std::ostream& out, double x, double y, std::string_view anchor, std::string_view style,
                std::string_view text) {
  out << "<text x=\"" << pixels(x) << "\" y=\"" << pixels(y) << "\" text-anchor=\"" << anchor << '"';
  if (!style.empty()) out << " class=\"" << style << '"';
  out << '>' << escaped(text) << "</text>\n";
}

void write_box(std::ostream& out, double x, double y, double width, double height, std::string_view style,
               std::string_view title) {
  out << "<rect x=\"" << pixels(x) << "\" y=\"" << pixels(y) << "\" width=\"" << pixels(width)
      << "\" height=\"" << pixels(height) << "\" class=\"" << style << "\"><title>" << escaped(title)
      << "</title></rect>\n";
}

void write_legend(std::ostream& out, const std::vector<BarSeries>& series) {
  double x = kLeft;
  for (std::size_t i = 0; i < series.size(); ++i) {
    write_box(out, x, kTop - 26 - kLegendBox + 2, kLegendBox, kLegendBox, style_of(i), series[i].text);
    write_text(out, x + kLegendBox + 6, kTop - 26, "start", "", series[i].text);
    x += kLegendEntry;
  }
}

void write_axis(std::ostream& out, const Axis& axis, double right) {
  for (const double mark : axis.marks()) {
    const std::string y = pixels(axis.height_of(mark));
    out << "<line x1=\"" << pixels(kLeft) << "\" y1=\"" << y << "\" x2=\"" << pixels(right) << "\" y2=\"" << y
        << "\" class=\"" << (mark == 1 ? "one" : "line") << "\"/>\n";
    std::ostringstream number;
    number << mark;
    write_text(out, kLeft - 8, axis.height_of(mark) + 4, "end", "", number.str() + " ×");
  }
}

void write_group(std::ostream& out, const Axis& axis, const BarChart& chart, const BarGroup& group,
                 double x) {
  const double bottom = kTop + kPlotHeight;
  const double middle = x + static_cast<double>(group.bars.size()) * kBar / 2;
  for (std::size_t i = 0; i < group.bars.size(); ++i) {
    if (const std::optional<double>& bar = group.bars[i]) {
      const double top = axis.height_of(*bar);
      const std::string value = digits(*bar);
      write_box(out, x + 1, top, kBar - 2, bottom - top, style_of(i),
                group.name + ", " + chart.series[i].name + ": " + value);
      write_text(out, x + kBar / 2, top - 4, "middle", "value", value);
    } else {
      write_text(out, x + kBar / 2, bottom - 4, "middle", "value", kNothing);
    }
    x += kBar;
  }
  write_text(out, middle, bottom + 20, "middle", "", group.name);
}

}  // namespace

void write_svg(std::ostream& out, const BarChart& chart) {
  const Axis axis(chart.groups);
  const auto series = static_cast<double>(chart.series.size());
  const double group_width = series * kBar + kBetweenGroups;
  const double of_groups = static_cast<double>(chart.groups.size()) * group_width;
  const double right = kLeft + std::max(of_groups, series * kLegendEntry);
  const double width = right + kRight;
  const double height = kTop + kPlotHeight + kBelow;

  out << R"(<svg xmlns="http://www.w3.org/2000/svg" role="img" width=")" << pixels(width) << R"(" height=")"
      << pixels(height) << R"(" viewBox="0 0 )" << pixels(width) << ' ' << pixels(height) << "\">\n";
  write_style(out, chart.series);
  write_box(out, 0, 0, width, height, "ground", chart.description);
  write_text(out, kLeft, 22, "start", "title", chart.title);
  write_legend(out, chart.series);
  write_axis(out, axis, right);
  double x = kLeft + kBetweenGroups / 2;
  for (const BarGroup& group : chart.groups) {
    write_group(out, axis, chart, group, x);
    x += group_width;
  }
  out << "</svg>\n";
}

}  // namespace bench
