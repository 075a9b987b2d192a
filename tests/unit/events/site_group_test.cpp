#include "events/site_group.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace anyorder::events {
namespace {

struct Made {
  std::uintptr_t address;
  unsigned bytes;
  std::uintptr_t place;
  friend bool operator==(const Made&, const Made&) = default;
};
std::ostream& operator<<(std::ostream& out, const Made& made) {
  return out << made.bytes << " at " << made.address << ", place " << made.place;
}

constexpr std::uintptr_t kAddress = 0x7fff'ffff'f004;
constexpr std::uintptr_t kFirst = 0x7f12'3456'7891;

std::vector<Made> made_one_by_one(std::uintptr_t group) {
  std::vector<Made> all;
  check_one_by_one(kAddress, group, [&]<unsigned kBytes>(std::uintptr_t address, std::uintptr_t place) {
    all.push_back({address, kBytes, place});
  });
  return all;
}

TEST(SiteGroup, HasAnAccessForEachBegin) {
  EXPECT_EQ(made_one_by_one(group_of(kFirst, 0b1'0001)),
            (std::vector<Made>{{kAddress, 4, kFirst}, {kAddress + 4, 4, kFirst + 4}}));
  EXPECT_EQ(made_one_by_one(group_of(kFirst, 0b101'0001)),
            (std::vector<Made>{
                {kAddress, 4, kFirst}, {kAddress + 4, 2, kFirst + 4}, {kAddress + 6, 2, kFirst + 8}}));
  const std::vector<Made> each = made_one_by_one(group_of(kFirst, 0xff));
  ASSERT_EQ(each.size(), 8U);
  for (std::uintptr_t i = 0; i != 8; ++i) {
    EXPECT_EQ(each[i], (Made{kAddress + i, 1, kFirst + sizeof(SiteEntry) * i}));
  }
}

TEST(SiteGroup, IsToldFromOtherPlaces) {
  EXPECT_FALSE(is_group(kFirst));
  EXPECT_EQ(first_of_group(kFirst), kFirst);
  for (const std::uintptr_t begins : {0x03U, 0x11U, 0x81U, 0xffU}) {
    EXPECT_TRUE(is_group(group_of(kFirst, begins)));
    EXPECT_EQ(first_of_group(group_of(kFirst, begins)), kFirst);
    EXPECT_NE(group_of(kFirst, begins), group_of(kFirst, 0x55U));
  }
}

}  // namespace
}  // namespace anyorder::events
