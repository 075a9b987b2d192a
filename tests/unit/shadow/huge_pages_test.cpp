// HugePages: asked for where a whole one will be used, once, and not for ever more.

#include "shadow/huge_pages.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>

#include "shadow/process_maps.hpp"

namespace anyorder::shadow {
namespace {

constexpr std::size_t kPage = HugePages::kPage;

class HugePagesTest : public testing::Test {
 protected:
  static constexpr std::size_t kBytes = 64 * kPage;

  // Where the first whole huge page begins in the area.
  [[nodiscard]] std::size_t first() const {
    return (kPage - reinterpret_cast<std::uintptr_t>(area_.base()) % kPage) % kPage;
  }
  // The mappings that the reservation consists of, and are known to be its own.
  [[nodiscard]] std::size_t own_mappings() const {
    const auto begin = reinterpret_cast<std::uintptr_t>(area_.base());
    std::size_t count = 0;
    for_each_mapping([&](AddressRange mapping, bool) {
      if (mapping.begin >= begin && mapping.end <= begin + reservation_.bytes()) {
        EXPECT_TRUE(Reservation::one_has(mapping));
        ++count;
      }
      return true;
    });
    return count;
  }

  Reservation reservation_{kBytes + HugePages::bytes_for(kBytes), "a test"};
  Area area_ = reservation_.carve(kBytes);
  HugePages huge_pages_{area_, reservation_};
};

TEST_F(HugePagesTest, AreThoseThatAreUsedAsAWhole) {
  huge_pages_.expect(first() + 1, 2 * kPage);
  EXPECT_EQ(huge_pages_.pages(), 1U);
  huge_pages_.expect(first() + 1, kPage);
  EXPECT_EQ(huge_pages_.pages(), 1U);
  huge_pages_.expect(first(), 0);
  EXPECT_EQ(huge_pages_.pages(), 1U);
}

TEST_F(HugePagesTest, AreAskedForOnce) {
  huge_pages_.expect(first() + kPage, 2 * kPage);
  huge_pages_.expect(first() + kPage, 2 * kPage);
  EXPECT_EQ(huge_pages_.pages(), 2U);
  huge_pages_.expect(first(), 5 * kPage);
  EXPECT_EQ(huge_pages_.pages(), 5U);
}

TEST_F(HugePagesTest, DivideTheMappingWhichStaysKnown) {
  EXPECT_EQ(own_mappings(), 1U);
  huge_pages_.expect(first() + 10 * kPage, kPage);
  const std::size_t divided = own_mappings();
  if (divided == 1) GTEST_SKIP() << "the system has no huge pages";
  EXPECT_EQ(divided, 3U);
  const AddressRange another{reinterpret_cast<std::uintptr_t>(area_.base()),
                             reinterpret_cast<std::uintptr_t>(area_.base()) + reservation_.bytes() + 1};
  EXPECT_FALSE(Reservation::one_has(another));
}

TEST(HugePages, AreAsManyAsThereAreLeft) {
  constexpr std::size_t kBytes = 64 * kPage;
  Reservation reservation(kBytes + HugePages::bytes_for(kBytes), "a test");
  const Area area = reservation.carve(kBytes);
  HugePages huge_pages(area, reservation, 5);
  const std::size_t first = (kPage - reinterpret_cast<std::uintptr_t>(area.base()) % kPage) % kPage;
  huge_pages.expect(first, 3 * kPage);
  EXPECT_EQ(huge_pages.pages(), 3U);
  huge_pages.expect(first + 10 * kPage, 20 * kPage);
  EXPECT_EQ(huge_pages.pages(), 5U);
  huge_pages.expect(first + 40 * kPage, kPage);
  EXPECT_EQ(huge_pages.pages(), 5U);
}

TEST(HugePages, HaveABound) {
  const std::size_t bytes = 4 * HugePages::kMostPieces * kPage;
  Reservation reservation(bytes + HugePages::bytes_for(bytes), "a test");
  const Area area = reservation.carve(bytes);
  HugePages huge_pages(area, reservation);
  // Every other page, each a piece of its own, wherever the area begins.
  const std::size_t first = (kPage - reinterpret_cast<std::uintptr_t>(area.base()) % kPage) % kPage;
  for (std::size_t at = first; at + kPage <= bytes; at += 2 * kPage) huge_pages.expect(at, kPage);
  EXPECT_LE(huge_pages.pages(), HugePages::kMostPieces);
  EXPECT_GT(huge_pages.pages(), 0U);
}

}  // namespace
}  // namespace anyorder::shadow
