#include "parallel/output.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "parallel/test_suite.hpp"

namespace bench::parallel {
namespace {

std::string tables(const Suite& suite) {
  std::ostringstream out;
  write_tables(out, suite);
  return out.str();
}

nlohmann::json json(const Suite& suite) {
  std::ostringstream out;
  write_json(out, suite);
  return nlohmann::json::parse(out.str());
}

std::string svg(const Suite& suite) {
  std::ostringstream out;
  write_svg(out, suite);
  return out.str();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Tables, HaveSlowdownsForEachNumberOfWorkers) {
  const std::string text = tables(suite_of_one());
  // plain, the serial detector, the parallel one, oneTBB, ThreadSanitizer, both detectors to it, the paper.
  EXPECT_TRUE(has(text,
                  "|   60 |    77 |      123 |    2.00 | 8.00 (8.00..8.00) | 3.00 (3.00..3.00) |  2.50 | "
                  "10.0 (10.0..10.0) | 0.64 (0.64..0.64) | 0.24 (0.24..0.24) |     - |           4.53 |"))
      << text;
  EXPECT_TRUE(has(text,
                  "|    1.00 | 16.0 (16.0..16.0) | 4.00 (4.00..4.00) |  1.25 | 16.0 (16.0..16.0) | "
                  "0.80 (0.80..0.80) | 0.20 (0.20..0.20) |"))
      << text;
  EXPECT_TRUE(has(text, "|  2.78 |           4.53 |")) << text;
  EXPECT_TRUE(has(text, "in_order runs serially")) << text;
}

TEST(Tables, HaveGrowthAndMemory) {
  const std::string text = tables(suite_of_one());
  EXPECT_TRUE(has(text, "| sor            |    1.33 | 1.60 |")) << text;
  EXPECT_TRUE(has(text,
                  "| sor            |     10.0 |        20.0 | 2.00 (2.00..2.00) |       30.0 | "
                  "3.00 (3.00..3.00) |   10.0 |    50.0 | 5.00 (5.00..5.00) |"))
      << text;
}

TEST(Tables, SayWhatAFailedColumnIs) {
  Suite suite = suite_of_one();
  suite.all.programs[0].columns[2] = {{std::nullopt}, "unknown"};
  EXPECT_TRUE(has(tables(suite), "|    2.00 |  unknown |")) << tables(suite);
}

TEST(Tables, AreOfProcessorTimeIfThatIsAskedFor) {
  Suite suite = suite_of_one();
  suite.time = Quantity::processor_seconds;
  EXPECT_TRUE(has(tables(suite), "Processor time")) << tables(suite);
  EXPECT_TRUE(has(tables(suite), "|    4.00 | 8.00 (8.00..8.00) |")) << tables(suite);
}

TEST(Json, HasRatiosMeansGrowthAndSamples) {
  const auto all = json(suite_of_one());
  const auto& program = all.at("programs").at(0);
  EXPECT_EQ(program.at("tasks"), 77);
  EXPECT_EQ(program.at("workers").at("1").at("in_order").at("slowdown").at("median"), 8.0);
  EXPECT_EQ(program.at("workers").at("2").at("at_once").at("slowdown").at("median"), 4.0);
  EXPECT_EQ(program.at("workers").at("2").at("at_once").at("slowdown_to_tsan").at("median"), 0.2);
  EXPECT_EQ(program.at("workers").at("2").at("tsan").at("peak_bytes_ratio").at("median"), 6.0);
  EXPECT_EQ(program.at("columns").at("plain/2").at("processor_seconds").at(0), 2.0);
  EXPECT_EQ(program.at("columns").at("in_order").at("seconds").at(0), 16.0);
  EXPECT_EQ(program.at("paper").at("chunked_slowdown"), 4.53);
  EXPECT_NEAR(all.at("geometric_means").at("1").at("tsan").at("slowdown").at("value").get<double>(), 10,
              1e-9);
  EXPECT_NEAR(all.at("scaling").at("tsan").at("value").get<double>(), 1.6, 1e-9);
  EXPECT_EQ(all.at("paper_mean_slowdown"), 2.78);
}

TEST(Plot, HasABarForEachSlowdownAndTheMeans) {
  const std::string picture = svg(suite_of_one());
  for (const char* bar :
       {"sor, paper: 4.53", "sor, in_order/1: 8.00", "sor, in_order/2: 16.0", "sor, at_once/1: 3.00",
        "sor, at_once/2: 4.00", "sor, tsan/1: 10.0", "sor, tsan/2: 16.0", "geometric mean, paper: 2.78",
        "geometric mean, at_once/2: 4.00"}) {
    EXPECT_TRUE(has(picture, "<title>" + std::string(bar) + "</title>")) << bar;
  }
}

}  // namespace
}  // namespace bench::parallel
