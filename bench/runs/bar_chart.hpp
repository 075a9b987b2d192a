// Bars on a logarithmic axis, in groups, as a picture in SVG. For light and dark pages.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

// On a light page and on a dark one.
struct Colour {
  std::string_view light;
  std::string_view dark;
};
inline constexpr Colour kGrey{"#8c959f", "#9198a1"};
inline constexpr Colour kBlue{"#0969da", "#4493f8"};
inline constexpr Colour kPaleBlue{"#80b8f7", "#1f4d8a"};
inline constexpr Colour kGreen{"#1a7f37", "#3fb950"};
inline constexpr Colour kPaleGreen{"#82cf95", "#1d6b2f"};
inline constexpr Colour kPurple{"#8250df", "#ab7df8"};
inline constexpr Colour kPalePurple{"#c3a5f1", "#5a3a9a"};
inline constexpr Colour kOrange{"#bc4c00", "#f0883e"};
inline constexpr Colour kPaleOrange{"#e9a06b", "#8a4a1c"};

struct BarSeries {
  std::string name;  // in the tooltips
  std::string text;  // in the legend
  Colour colour;
};

struct BarGroup {
  std::string name;
  std::vector<std::optional<double>> bars;  // one for each series; none: nothing is known
};

struct BarChart {
  std::string title;
  std::string description;
  std::vector<BarSeries> series;
  std::vector<BarGroup> groups;
};

void write_svg(std::ostream& out, const BarChart& chart);

}  // namespace bench
