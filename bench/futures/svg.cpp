#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "futures/output.hpp"
#include "futures/suite.hpp"
#include "runs/cells.hpp"

namespace bench::suite {
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

struct Bar {
  std::string_view style;  // the class that has its colour
  std::optional<double> slowdown;
};

struct Group {
  std::string program;
  std::vector<Bar> bars;
};

struct LegendEntry {
  std::string_view style;
  std::string text;
};

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

std::optional<double> median(const ProgramResults& program, std::size_t column) {
  const auto found = ratios(program, column, kTime, kSerial);
  return found ? std::optional(found->median) : std::nullopt;
}

std::vector<Group> groups_of(const Measurements& all) {
  std::vector<Group> groups;
  for (const ProgramResults& program : all.programs) {
    const Published* const published = published_about(program.name);
    Group group{program.name,
                {{"paper", published != nullptr ? std::optional(published->slowdown) : std::nullopt},
                 {"checked", median(program, kChecked)}}};
    if (has_tsan(all)) group.bars.push_back({"tsan", median(program, kTsan)});
    groups.push_back(std::move(group));
  }
  return groups;
}

// A logarithmic axis, with marks at 1, 2 and 5 times the powers of ten. Slowdown 1 and all bars are well
// inside.
class Axis {
 public:
  explicit Axis(const std::vector<Group>& groups) {
    double least = 1;
    double most = 1;
    for (const Group& group : groups) {
      for (const Bar& bar : group.bars) {
        least = std::min(least, bar.slowdown.value_or(1));
        most = std::max(most, bar.slowdown.value_or(1));
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
  [[nodiscard]] double height_of(double slowdown) const {
    const double low = std::log(marks_.front());
    const double part = (std::log(slowdown) - low) / (std::log(marks_.back()) - low);
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
  .paper { fill: #8c959f; }
  .checked { fill: #0969da; }
  .tsan { fill: #bc4c00; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; }
    text { fill: #f0f6fc; }
    .line { stroke: #3d444d; }
    .one { stroke: #9198a1; }
    .paper { fill: #9198a1; }
    .checked { fill: #4493f8; }
    .tsan { fill: #f0883e; }
  }
</style>
)";

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

void write_legend(std::ostream& out, const std::vector<LegendEntry>& entries) {
  double x = kLeft;
  for (const LegendEntry& entry : entries) {
    write_box(out, x, kTop - 26 - kLegendBox + 2, kLegendBox, kLegendBox, entry.style, entry.text);
    write_text(out, x + kLegendBox + 6, kTop - 26, "start", "", entry.text);
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

void write_group(std::ostream& out, const Axis& axis, const Group& group, double x) {
  const double bottom = kTop + kPlotHeight;
  const double middle = x + static_cast<double>(group.bars.size()) * kBar / 2;
  for (const Bar& bar : group.bars) {
    if (bar.slowdown) {
      const double top = axis.height_of(*bar.slowdown);
      const std::string value = digits(*bar.slowdown);
      write_box(out, x + 1, top, kBar - 2, bottom - top, bar.style,
                group.program + ", " + std::string(bar.style) + ": " + value);
      write_text(out, x + kBar / 2, top - 4, "middle", "value", value);
    } else {
      write_text(out, x + kBar / 2, bottom - 4, "middle", "value", kNothing);
    }
    x += kBar;
  }
  write_text(out, middle, bottom + 20, "middle", "", group.program);
}

}  // namespace

void write_svg(std::ostream& out, const Measurements& all) {
  const std::vector<Group> groups = groups_of(all);
  const Axis axis(groups);
  std::vector<LegendEntry> legend{{"paper", "paper (RV 2016)"},
                                  {"checked", "anyorder, " + std::string(kDetector)}};
  if (has_tsan(all)) legend.push_back({"tsan", "ThreadSanitizer"});

  const double group_width = static_cast<double>(legend.size()) * kBar + kBetweenGroups;
  const double of_groups = static_cast<double>(groups.size()) * group_width;
  const double of_legend = static_cast<double>(legend.size()) * kLegendEntry;
  const double right = kLeft + std::max(of_groups, of_legend);
  const double width = right + kRight;
  const double height = kTop + kPlotHeight + kBelow;

  out << R"(<svg xmlns="http://www.w3.org/2000/svg" role="img" width=")" << pixels(width) << R"(" height=")"
      << pixels(height) << R"(" viewBox="0 0 )" << pixels(width) << ' ' << pixels(height) << "\">\n"
      << kStyle;
  write_box(out, 0, 0, width, height, "ground", "Slowdowns next to the serial version");
  write_text(out, kLeft, 22, "start", "title", "Slowdown next to the serial version, logarithmic");
  write_legend(out, legend);
  write_axis(out, axis, right);
  double x = kLeft + kBetweenGroups / 2;
  for (const Group& group : groups) {
    write_group(out, axis, group, x);
    x += group_width;
  }
  out << "</svg>\n";
}

}  // namespace bench::suite
