// What a detector counted, as people see it.
#include <gtest/gtest.h>
#include <sstream>
#include <string>

#include "report/report.hpp"

namespace anyorder::report {
namespace {

std::string written(std::vector<std::pair<std::string, double>> statistics) {
  Report report;
  report.run.detector = "dtrg";
  report.statistics = std::move(statistics);
  std::ostringstream out;
  write_statistics(out, report);
  return out.str();
}

TEST(Statistics, CountsAreWholeAndAveragesHaveTwoDecimals) {
  EXPECT_EQ(written({{"non_tree_joins", 12345678}, {"average_readers", 2}, {"seconds_asleep", 0.126}}),
            "statistics of dtrg:\n"
            "  non_tree_joins   12345678\n"
            "  average_readers      2.00\n"
            "  seconds_asleep       0.13\n");
}

TEST(Statistics, AHistogramHasBarsAndNoEmptyRows) {
  EXPECT_EQ(written({{"query_visits/0", 1000},
                     {"joins", 1},
                     {"query_visits/1", 0},
                     {"query_visits/2", 500},
                     {"query_visits/3-4", 0},
                     {"query_visits/5-8", 1},
                     {"sizes/1", 3}}),
            "statistics of dtrg:\n"
            "  joins  1\n"
            "  query_visits:\n"
            "      0  1000  ########################################\n"
            "      2   500  ####################\n"
            "    5-8     1  #\n"
            "  sizes:\n"
            "    1  3  ########################################\n");
}

TEST(Statistics, AHistogramWithoutValuesIsNotShown) {
  EXPECT_EQ(written({{"joins", 0}, {"visits/0", 0}}), "statistics of dtrg:\n  joins  0\n");
}

TEST(Statistics, OfADetectorThatCountsNothing) {
  EXPECT_EQ(written({}), "statistics of dtrg:\n  it counts nothing\n");
}

}  // namespace
}  // namespace anyorder::report
