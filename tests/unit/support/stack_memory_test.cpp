// StackMemory: usable to its last byte, and guarded below it.

#include "support/stack_memory.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "support/sanitizers.hpp"

namespace anyorder::support {
namespace {

TEST(StackMemory, IsUsableFromEndToEnd) {
  const StackMemory memory(100'000);
  EXPECT_GE(memory.bytes(), 100'000U);
  EXPECT_EQ(memory.bytes() % static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), 0U);
  EXPECT_EQ(memory.high() - memory.low(), static_cast<std::ptrdiff_t>(memory.bytes()));
  *memory.low() = 1;
  *(memory.high() - 1) = 2;
  EXPECT_EQ(*memory.low() + *(memory.high() - 1), 3);
}

TEST(StackMemory, KnowsItsGuard) {
  const StackMemory memory(std::size_t{1} << 20);
  EXPECT_FALSE(memory.guards(memory.low()));
  EXPECT_FALSE(memory.guards(memory.high()));
  EXPECT_TRUE(memory.guards(memory.low() - 1));
  EXPECT_TRUE(memory.guards(memory.low() - 4096));
  EXPECT_FALSE(memory.guards(memory.low() - (std::size_t{1} << 20)));
  EXPECT_FALSE(memory.guards(nullptr));
  EXPECT_FALSE(StackMemory().guards(nullptr));
}

TEST(StackMemoryDeathTest, FaultsInItsGuard) {
  const StackMemory memory(std::size_t{1} << 20);
  EXPECT_DEATH(*static_cast<volatile char*>(memory.low() - 1) = 1, "");
}

// Where nothing is.
void* const kFree = reinterpret_cast<void*>(0x3000'0000'0000);

TEST(StackMemory, LiesWhereItIsWantedIfNothingElseDoes) {
  if (ANYORDER_TSAN) GTEST_SKIP() << "ThreadSanitizer has stacks elsewhere";
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  const StackMemory first(kBytes, kFree);
  EXPECT_TRUE(first.guards(kFree));
  EXPECT_FALSE(first.guards(static_cast<char*>(kFree) - 1));
  const StackMemory second(kBytes, kFree);
  EXPECT_FALSE(second.guards(kFree));
  for (const StackMemory* memory : {&first, &second}) {
    *memory->low() = 1;
    *(memory->high() - 1) = 2;
  }
  EXPECT_EQ(*first.low(), 1);
}

TEST(StackMemoryDeathTest, FaultsInItsGuardWhereverItLies) {
  const StackMemory first(std::size_t{1} << 20, kFree);
  const StackMemory second(std::size_t{1} << 20, kFree);
  EXPECT_DEATH(*static_cast<volatile char*>(first.low() - 1) = 1, "");
  EXPECT_DEATH(*static_cast<volatile char*>(second.low() - 1) = 1, "");
}

TEST(StackMemory, Moves) {
  StackMemory a(std::size_t{1} << 16);
  char* const low = a.low();
  StackMemory b(std::move(a));
  EXPECT_EQ(b.low(), low);
  EXPECT_EQ(a.low(), nullptr);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(a.bytes(), 0U);
  StackMemory c(std::size_t{1} << 17);
  c = std::move(b);
  EXPECT_EQ(c.low(), low);
  *c.low() = 1;
}

TEST(StackMemory, TouchesNothingBeforeItIsUsed) {
  const StackMemory large(std::size_t{1} << 38);
  *(large.high() - 1) = 1;
}

TEST(StackMemory, NamesTheSizeThatCannotBeHad) {
  try {
    const StackMemory too_large(std::size_t{1} << 60);
    FAIL();
  } catch (const std::system_error& e) {
    EXPECT_NE(std::string(e.what()).find(std::to_string(std::size_t{1} << 60)), std::string::npos)
        << e.what();
  }
}

TEST(OwnStack, HoldsTheCallersFrame) {
  const StackBounds bounds = own_stack();
  const auto at = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  EXPECT_GE(at, reinterpret_cast<std::uintptr_t>(bounds.low));
  EXPECT_LT(at, reinterpret_cast<std::uintptr_t>(bounds.low) + bounds.bytes);
}

}  // namespace
}  // namespace anyorder::support
