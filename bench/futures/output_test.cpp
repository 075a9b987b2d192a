#include "futures/output.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "futures/suite.hpp"

namespace bench::suite {
namespace {

Series runs_of(double seconds, double bytes) { return {{Sample{seconds, seconds, bytes}}, ""}; }

ProgramResults jacobi() {
  ProgramResults program{"jacobi", 2048, {runs_of(2, 1e6), runs_of(3, 2e6), runs_of(12, 8e6)}};
  program.counters.emplace();
  program.counters->tasks = 8192;
  program.counters->reads = 100;
  program.counters->writes = 20;
  program.statistics = {{"non_tree_joins", 34944}, {"average_readers", 1.5}};
  return program;
}

Measurements without_tsan(ProgramResults program) { return {columns(false), {std::move(program)}}; }

Measurements with_tsan(ProgramResults program) {
  program.columns.push_back(runs_of(24, 4e6));
  return {columns(true), {std::move(program)}};
}

std::string tables(const Measurements& all, bool paper_size) {
  std::ostringstream out;
  write_tables(out, all, paper_size);
  return out.str();
}

nlohmann::json json(const Measurements& all) {
  std::ostringstream out;
  write_json(out, all);
  return nlohmann::json::parse(out.str());
}

std::string svg(const Measurements& all) {
  std::ostringstream out;
  write_svg(out, all);
  return out.str();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The height of the bar with this title.
double height_of(const std::string& picture, const std::string& title) {
  const auto line_end = picture.find("<title>" + title);
  if (line_end == std::string::npos) return -1;
  const auto attribute = picture.rfind("height=\"", line_end);
  return std::stod(picture.substr(attribute + 8));
}

TEST(Published, AgreesWithItself) {
  for (const Published& entry : kPublished) {
    EXPECT_NEAR(entry.checked_seconds / entry.serial_seconds, entry.slowdown, 0.013) << entry.name;
  }
  EXPECT_EQ(published_about("fib"), nullptr);
}

TEST(Tables, HaveSlowdownsToSerialAndToThreadSanitizer) {
  const std::string text = tables(with_tsan(jacobi()), false);
  EXPECT_TRUE(has(text, "8192 |          34944 |      120 |            1.50 ")) << text;
  EXPECT_TRUE(has(text, "| 6.00 (6.00..6.00) |  8.05 | 12.0 (12.0..12.0) | 0.50 (0.50..0.50) |")) << text;
  EXPECT_TRUE(has(text, "8.00 | 4.00 (4.00..4.00) |    4.00 | 2.00 (2.00..2.00) |")) << text;
}

TEST(Tables, LeaveThreadSanitizerOutWhereItDidNotRun) {
  const std::string text = tables(without_tsan(jacobi()), false);
  EXPECT_FALSE(has(text, "dtrg / tsan")) << text;
  EXPECT_TRUE(has(text, "6.00 (6.00..6.00)")) << text;
}

TEST(Tables, HaveThePapersCountsAtItsSizeOnly) {
  EXPECT_FALSE(has(tables(with_tsan(jacobi()), false), "641499805"));
  EXPECT_TRUE(has(tables(with_tsan(jacobi()), true), "641499805"));
}

TEST(Tables, OfNothingAreStillTables) {
  Measurements all{columns(true), {{"jacobi", 20, std::vector<Series>(4)}}};
  const std::string text = tables(all, true);
  EXPECT_TRUE(has(text, "| jacobi         |   20 |     - |              - |")) << text;
}

TEST(Json, HasCountsRatiosAndSamples) {
  const auto all = json(with_tsan(jacobi()));
  const auto& program = all.at("programs").at(0);
  EXPECT_EQ(program.at("non_tree_joins"), 34944);
  EXPECT_EQ(program.at("accesses"), 120);
  EXPECT_EQ(program.at("slowdown").at("median"), 6.0);
  EXPECT_EQ(program.at("tsan_slowdown").at("median"), 12.0);
  EXPECT_EQ(program.at("slowdown_to_tsan").at("median"), 0.5);
  EXPECT_EQ(program.at("peak_bytes_ratio").at("median"), 4.0);
  EXPECT_EQ(program.at("columns").at("serial").at("processor_seconds").at(0), 2.0);
  EXPECT_EQ(program.at("paper").at("slowdown"), 8.05);
  EXPECT_EQ(all.at("geometric_means").at("slowdown").at("programs"), 1);
}

TEST(Plot, HasABarForEachSlowdown) {
  const std::string picture = svg(with_tsan(jacobi()));
  EXPECT_DOUBLE_EQ(height_of(picture, "no such bar"), -1);
  const double checked = height_of(picture, "jacobi, checked: 6.00");
  const double paper = height_of(picture, "jacobi, paper: 8.05");
  const double tsan = height_of(picture, "jacobi, tsan: 12.0");
  EXPECT_GT(checked, 0);
  EXPECT_LT(checked, paper);
  EXPECT_LT(paper, tsan);
}

TEST(Plot, IsLogarithmic) {
  ProgramResults first = jacobi();
  first.name = "first";
  ProgramResults second = jacobi();
  second.name = "second";
  second.columns[kChecked] = runs_of(24, 1);
  ProgramResults third = jacobi();
  third.name = "third";
  third.columns[kChecked] = runs_of(48, 1);
  const std::string picture = svg({columns(false), {first, second, third}});
  const double one = height_of(picture, "first, checked: 6.00");
  const double two = height_of(picture, "second, checked: 12.0");
  const double four = height_of(picture, "third, checked: 24.0");
  EXPECT_NEAR(two - one, four - two, 0.11);  // heights are rounded to a tenth
  EXPECT_GT(two, one);
}

TEST(Plot, SaysWhereABarIsMissing) {
  ProgramResults program = jacobi();
  program.columns[kChecked].remark = "unknown";
  const std::string picture = svg(without_tsan(std::move(program)));
  EXPECT_FALSE(has(picture, "jacobi, checked"));
  EXPECT_TRUE(has(picture, ">-</text>"));
}

TEST(Plot, EscapesText) {
  ProgramResults program = jacobi();
  program.name = "a<b>&\"c\"";
  const std::string picture = svg(without_tsan(std::move(program)));
  EXPECT_TRUE(has(picture, "a&lt;b&gt;&amp;&quot;c&quot;")) << picture;
  EXPECT_FALSE(has(picture, "a<b"));
  EXPECT_EQ(count_of(picture, "<rect"), count_of(picture, "</rect>"));
  EXPECT_EQ(count_of(picture, "<text "), count_of(picture, "</text>"));
}

}  // namespace
}  // namespace bench::suite
