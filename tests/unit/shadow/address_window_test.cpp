// AddressWindow: layouts of a process that do not meet in it, and those that do.

#include "shadow/address_window.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

#include "support/sanitizers.hpp"

namespace anyorder::shadow {
namespace {

constexpr std::size_t kGiB = std::size_t{1} << 30U;
constexpr std::size_t kTiB = std::size_t{1} << 40U;
constexpr std::uintptr_t kExecutable = 0x5555'5555'4000;  // without randomization
constexpr std::uintptr_t kTop = 0x7fff'ffff'f000;

AddressRange range(std::uintptr_t begin, std::size_t bytes) { return {begin, begin + bytes}; }

TEST(AddressWindow, TakesEveryLayoutWithTheKernelsDefaultRandomness) {
  for (const std::uintptr_t up : {std::uintptr_t{0}, kTiB / 2, kTiB - 4096}) {
    for (const std::uintptr_t down : {std::uintptr_t{0}, kTiB / 2, kTiB - 4096}) {
      AddressWindow window(44);
      EXPECT_TRUE(window.admit(range(0x40'0000, 64 * kGiB)));                     // fixed, with its heap
      EXPECT_TRUE(window.admit(range(kExecutable + up, 3 * kTiB)));               // with its heap
      EXPECT_TRUE(window.admit(range(kTop - down - 4 * kTiB - kGiB, 4 * kTiB)));  // mappings
      EXPECT_TRUE(window.admit(range(kTop - down / 1024 - kGiB, kGiB)));          // the stack
    }
  }
}

TEST(AddressWindow, NoticesALayoutThatSharesCells) {
  AddressWindow window(44);
  EXPECT_TRUE(window.admit(range(0x6000'0000'0000, kGiB)));
  EXPECT_FALSE(window.admit(range(0x7000'0000'0000, 1)));
  EXPECT_FALSE(window.admit(range(0x7000'0000'0000 + kGiB - 1, 1)));
  EXPECT_FALSE(window.admit(range(0x7000'0000'0000 - kGiB, 3 * kGiB)));
  EXPECT_TRUE(window.admit(range(0x7000'0000'0000 + 2 * kGiB, kGiB)));
  EXPECT_TRUE(window.admit(range(0x7000'0000'0000 - 2 * kGiB, kGiB / 2)));
}

TEST(AddressWindow, AdmitsTheSameMemoryAgain) {
  AddressWindow window(44);
  EXPECT_TRUE(window.admit(range(0x6000'0000'1000, 4096)));
  EXPECT_TRUE(window.admit(range(0x6000'0000'1000, 4096)));
  EXPECT_TRUE(window.admit(range(0x6000'0000'0000, 64 * kGiB)));
}

TEST(AddressWindow, TakesARangeThatGoesOnAtItsBeginning) {
  AddressWindow window(44);
  EXPECT_TRUE(window.admit(range(0x6000'0000'0000 - kGiB, 2 * kGiB)));
  EXPECT_FALSE(window.admit(range(0x5000'0000'0000, 1)));
  EXPECT_FALSE(window.admit(range(0x7000'0000'0000 - 1, 1)));
}

TEST(AddressWindow, IsNotForMoreThanItHolds) {
  AddressWindow window(30);
  EXPECT_TRUE(window.admit(range(0x6000'0000'0000, kGiB)));
  AddressWindow another(30);
  EXPECT_FALSE(another.admit(range(0x6000'0000'0000, kGiB + 1)));
  EXPECT_FALSE(another.admit(range(kUserSpaceEnd - 4096, 8192)));
  EXPECT_TRUE(another.admit(range(0x123, 0)));
}

TEST(AddressWindow, AdmitsThisProcess) {
  if (ANYORDER_TSAN) GTEST_SKIP() << "ThreadSanitizer lays the process out for its own shadow";
  AddressWindow window(44);
  window.admit_process();
  int local = 0;
  const auto other = reinterpret_cast<std::uintptr_t>(&local) ^ std::uintptr_t{1} << 44U;
  EXPECT_FALSE(window.admit(range(other, 1)));
  window.admit_process();
}

TEST(AddressWindow, NamesBothPlacesAndTheWayOut) {
  if (ANYORDER_TSAN) GTEST_SKIP() << "ThreadSanitizer lays the process out for its own shadow";
  AddressWindow window(44);
  int local = 0;
  const auto other = (reinterpret_cast<std::uintptr_t>(&local) ^ std::uintptr_t{1} << 44U) >> 28U << 28U;
  ASSERT_TRUE(window.admit(range(other, 1)));
  try {
    window.admit_process();
    FAIL();
  } catch (const std::runtime_error& e) {
    const std::string text = e.what();
    char near[32];
    std::snprintf(near, sizeof near, "0x%zx", other);
    EXPECT_NE(text.find(near), std::string::npos) << text;
    EXPECT_NE(text.find("setarch -R"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace anyorder::shadow
