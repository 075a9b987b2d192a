// How the values of environment variables are read.

#include "support/settings.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace anyorder::support {
namespace {

TEST(ParseCount, TakesWholeNumbers) {
  EXPECT_EQ(parse_count("0"), 0U);
  EXPECT_EQ(parse_count("17"), 17U);
  EXPECT_EQ(parse_count("4294967295"), 4294967295U);
}

TEST(ParseCount, RefusesTheRest) {
  for (const char* text : {"", " ", "-1", "+1", " 1", "1 ", "1x", "0x10", "1.0", "4294967296", "x"}) {
    EXPECT_EQ(parse_count(text), std::nullopt) << '"' << text << '"';
  }
}

TEST(ParseBytes, TakesUnits) {
  EXPECT_EQ(parse_bytes("4096"), 4096U);
  EXPECT_EQ(parse_bytes("64K"), std::size_t{64} << 10);
  EXPECT_EQ(parse_bytes("64k"), std::size_t{64} << 10);
  EXPECT_EQ(parse_bytes("8M"), std::size_t{8} << 20);
  EXPECT_EQ(parse_bytes("8m"), std::size_t{8} << 20);
  EXPECT_EQ(parse_bytes("1G"), std::size_t{1} << 30);
  EXPECT_EQ(parse_bytes("3g"), std::size_t{3} << 30);
}

TEST(ParseBytes, RefusesWhatDoesNotFit) {
  EXPECT_EQ(parse_bytes(std::to_string(std::numeric_limits<std::size_t>::max())),
            std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(parse_bytes("18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse_bytes("17179869183G"), std::size_t{17179869183} << 30);
  EXPECT_EQ(parse_bytes("17179869184G"), std::nullopt);
}

TEST(ParseBytes, RefusesTheRest) {
  for (const char* text : {"", "K", "M", "G", "1KK", "1T", "1 M", "-1M", "M1", "1.5G", "1KB"}) {
    EXPECT_EQ(parse_bytes(text), std::nullopt) << '"' << text << '"';
  }
}

TEST(ValueOf, IsNothingForWhatIsUnsetOrEmpty) {
  constexpr Setting kOwn{"ANYORDER_TEST_SETTING", "", ""};
  unsetenv(kOwn.name);
  EXPECT_EQ(value_of(kOwn), std::nullopt);
  setenv(kOwn.name, "", 1);
  EXPECT_EQ(value_of(kOwn), std::nullopt);
  setenv(kOwn.name, "x", 1);
  EXPECT_EQ(value_of(kOwn), "x");
  unsetenv(kOwn.name);
}

TEST(Reject, SaysWhatIsWrongAndEndsWith64) {
  EXPECT_EXIT(reject(kWorkers, "many"), ::testing::ExitedWithCode(64),
              "ANYORDER_WORKERS=many .*1 to 1024.*default: one per core");
}

}  // namespace
}  // namespace anyorder::support
