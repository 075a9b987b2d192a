// Reservation: address space that costs nothing until it is touched, and an error that helps.

#include "shadow/reservation.hpp"

#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <sys/resource.h>
#include <system_error>

#include "shadow/process_maps.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::shadow {
namespace {

TEST(Reservation, IsBackedAsItIsTouched) {
  Reservation reservation(std::size_t{1} << 33U, "a test");
  const Area memory = reservation.carve(reservation.bytes());
  EXPECT_EQ(reservation.resident_bytes(), 0U);
  memory.base()[0] = 1;
  memory.base()[memory.bytes() - 1] = 1;
  memory.base()[std::size_t{3} << 30U] = 1;
  EXPECT_EQ(memory.base()[std::size_t{1} << 30U], 0);
  EXPECT_EQ(reservation.resident_bytes(), 3 * Area::kPage);
}

TEST(Reservation, TellsItselfFromItsNeighbours) {
  const Reservation a(1 << 16, "a test");
  Reservation b(1 << 16, "a test");
  const Reservation c(1 << 16, "a test");
  b.carve(1).base()[0] = 1;
  EXPECT_EQ(a.resident_bytes(), 0U);
  EXPECT_EQ(b.resident_bytes(), Area::kPage);
  EXPECT_EQ(c.resident_bytes(), 0U);
}

TEST(Reservation, GivesPagesBack) {
  Reservation reservation(std::size_t{1} << 20U, "a test");
  Area memory = reservation.carve(reservation.bytes());
  for (std::size_t at = 0; at != memory.bytes(); ++at) memory.base()[at] = 1;
  EXPECT_EQ(reservation.resident_bytes(), memory.bytes());
  memory.discard(Area::kPage, 5 * Area::kPage);
  memory.discard(0, 0);
  EXPECT_EQ(reservation.resident_bytes(), memory.bytes() - 5 * Area::kPage);
  EXPECT_EQ(memory.base()[Area::kPage - 1], 1);
  EXPECT_EQ(memory.base()[Area::kPage], 0);
  EXPECT_EQ(memory.base()[6 * Area::kPage], 1);
}

TEST(Reservation, LiesOutOfTheWayIfLarge) {
  if (ANYORDER_TSAN) GTEST_SKIP() << "ThreadSanitizer leaves no gap of two terabytes";
  Reservation a(Reservation::kLarge, "a test");
  Reservation b(Reservation::kLarge, "a test");
  const auto low = reinterpret_cast<std::uintptr_t>(a.carve(1).base());
  const auto high = reinterpret_cast<std::uintptr_t>(b.carve(1).base());
  EXPECT_LT(low, high);
  EXPECT_GE(high - low, 2 * Reservation::kLarge);
  for_each_mapping([&](AddressRange mapping, bool) {
    EXPECT_TRUE(mapping.end <= low - (Reservation::kLarge / 2) || mapping.begin >= low - Area::kPage);
    return mapping.begin < low;
  });
}

TEST(ReservationDeathTest, TouchesNothingBesideIt) {
  Reservation reservation(1 << 16, "a test");
  const Area memory = reservation.carve(reservation.bytes());
  EXPECT_DEATH(*const_cast<volatile char*>(memory.base() - 1) = 1, "");
  EXPECT_DEATH(*const_cast<volatile char*>(memory.base() + memory.bytes()) = 1, "");
}

TEST(ReservationDeathTest, IsCarvedIntoWholePages) {
  Reservation reservation(4 * Area::kPage, "a test");
  const Area a = reservation.carve(1);
  const Area b = reservation.carve(Area::kPage + 1);
  EXPECT_EQ(a.bytes(), Area::kPage);
  EXPECT_EQ(b.bytes(), 2 * Area::kPage);
  EXPECT_EQ(b.base() - a.base(), Area::kPage);
  EXPECT_DEATH(static_cast<void>(reservation.carve(Area::kPage + 1)), "an area lies in its reservation");
}

TEST(ReservationDeathTest, NamesTheLimitThatRefused) {
  if (ANYORDER_ASAN || ANYORDER_TSAN) GTEST_SKIP() << "a sanitizer does not live with RLIMIT_AS";
  const auto reserve = [] {
    const rlimit limit{std::size_t{1} << 40U, std::size_t{1} << 40U};
    if (setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(1);
    try {
      const Reservation too_large(std::size_t{1} << 44U, "shadow memory");
      std::_Exit(2);
    } catch (const std::system_error& e) {
      std::cerr << e.what() << '\n';
      std::_Exit(3);
    }
  };
  EXPECT_EXIT(reserve(), testing::ExitedWithCode(3),
              "no 17592186044416 bytes of address space for shadow memory; .* limited to 1099511627776 bytes "
              ".RLIMIT_AS.*ulimit -v unlimited.*Cannot allocate memory");
}

TEST(Reservation, SaysSoIfItIsJustTooLarge) {
  EXPECT_THROW(Reservation(std::size_t{1} << 48U, "a test"), std::system_error);
}

TEST(ProcessMaps, HasEachObjectInOneMapping) {
  static int global = 0;
  int local = 0;
  const auto heap = std::make_unique<int>();
  for (const int* object : std::initializer_list<const int*>{&global, &local, heap.get()}) {
    const auto at = reinterpret_cast<std::uintptr_t>(object);
    int found = 0;
    std::uintptr_t last = 0;
    for_each_mapping([&](AddressRange mapping, bool) {
      EXPECT_LE(last, mapping.begin);
      EXPECT_LT(mapping.begin, mapping.end);
      last = mapping.end;
      if (mapping.begin <= at && at < mapping.end) ++found;
      return true;
    });
    EXPECT_EQ(found, 1);
  }
}

TEST(ProcessMaps, StopsWhenToldTo) {
  int calls = 0;
  for_each_mapping([&](AddressRange, bool) { return ++calls != 2; });
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace anyorder::shadow
