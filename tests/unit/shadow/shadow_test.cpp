// Shadow of a whole process: real addresses, what it costs in memory, what it gives back.

#include "shadow/shadow.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <span>
#include <sys/mman.h>
#include <thread>
#include <vector>

#include "cells.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::shadow {
namespace {

using test::LargePolicy;
using test::SmallPolicy;
using Words8 = Shadow<SmallPolicy<8>>;
using Words4 = Shadow<SmallPolicy<4>>;

constexpr std::size_t kPage = 4096;
constexpr std::size_t kMiB = std::size_t{1} << 20U;
constexpr std::size_t kGiB = std::size_t{1} << 30U;

std::uintptr_t address_of(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

template <class S>
void set(S& shadow, std::uintptr_t address, std::size_t bytes, std::uint64_t value) {
  shadow.for_each_piece(address, bytes, [&](auto& cell, std::uintptr_t, std::size_t) {
    cell = test::cell_of<typename S::Cell>(value);
  });
}

// The value that all the bytes have; nothing if they differ.
template <class S>
std::optional<std::uint64_t> get(S& shadow, std::uintptr_t address, std::size_t bytes) {
  std::optional<std::uint64_t> value;
  bool differ = false;
  shadow.for_each_piece(address, bytes, [&](auto& cell, std::uintptr_t, std::size_t) {
    differ |= value.has_value() && *value != cell.value;
    value = cell.value;
  });
  return differ ? std::nullopt : value;
}

class Mapping {
 public:
  explicit Mapping(std::size_t bytes)
      : bytes_(bytes),
        base_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                   0)) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { munmap(base_, bytes_); }
  std::uintptr_t begin() const { return address_of(base_); }

 private:
  std::size_t bytes_;
  void* base_;
};

// ThreadSanitizer keeps all but a few terabytes for itself.
class ShadowTest : public testing::Test {
 protected:
  void SetUp() override {
    if (ANYORDER_TSAN) GTEST_SKIP() << "ThreadSanitizer leaves no room for the shadow of a process";
  }
};

int global_array[64];  // NOLINT(*-avoid-non-const-global-variables)
thread_local int thread_array[64];

TEST_F(ShadowTest, HasACellOfItsOwnForEachPlaceOfTheProcess) {
  Words8 eight;
  Words4 four;  // two at once
  int local_array[64];
  static int static_array[64];
  const auto heap = std::make_unique<std::array<int, 64>>();
  const auto large_heap = std::make_unique<std::array<int, 1 << 20>>();
  const Mapping mapping(kMiB);
  std::vector<std::uintptr_t> places = {address_of(&global_array), address_of(local_array),
                                        address_of(static_array),  address_of(heap.get()),
                                        address_of(&thread_array), address_of(large_heap.get()),
                                        mapping.begin(),           address_of(stdout)};
  std::thread([&] {
    int its_local[64];
    places.push_back(address_of(its_local));
    places.push_back(address_of(&thread_array));
    for (const std::uintptr_t place : places) {
      EXPECT_TRUE(eight.admit(place, 256));
      EXPECT_TRUE(four.admit(place, 256));
    }
    std::uint64_t value = 0;
    for (const std::uintptr_t place : places) {
      set(eight, place, 256, ++value);
      set(four, place, 256, 100 + value);
    }
    value = 0;
    for (const std::uintptr_t place : places) {
      EXPECT_EQ(get(eight, place, 256), ++value);
      EXPECT_EQ(get(four, place, 256), 100 + value);
    }
  }).join();
  eight.admit_process();
  four.admit_process();
}

TEST_F(ShadowTest, DoesNotLieInTheProgramsWay) {
  Words8 shadow;
  Words4 another;
  // What the program maps next is still near what it had mapped before.
  const Mapping mapping(kGiB);
  int local = 0;
  EXPECT_LT(address_of(&local) - mapping.begin(), std::uintptr_t{4} << 40U);
}

TEST_F(ShadowTest, WordIsTheCellOfAllItsBytes) {
  Words8 shadow;
  alignas(8) const char data[16] = {};
  shadow.word(address_of(data) + 3).value = 7;
  for (int i = 0; i != 8; ++i) EXPECT_EQ(&shadow.word(address_of(data) + i), &shadow.word(address_of(data)));
  EXPECT_EQ(&shadow.word(address_of(data) + 8), &shadow.word(address_of(data)) + 1);
  EXPECT_EQ(get(shadow, address_of(data), 8), 7U);
  EXPECT_EQ(get(shadow, address_of(data) + 5, 1), 7U);
  EXPECT_EQ(get(shadow, address_of(data) + 8, 8), 0U);
}

TEST_F(ShadowTest, SplitsAWordOnlyForADifference) {
  Words8 shadow;
  const Mapping mapping(kPage);
  const std::uintptr_t at = mapping.begin();
  set(shadow, at, 8, 5);
  set(shadow, at + 2, 3, 5);  // what is there already
  EXPECT_EQ(get(shadow, at + 1, 1), 5U);
  EXPECT_EQ(shadow.statistics().split_words, 0U);
  set(shadow, at + 4, 4, 6);
  EXPECT_EQ(shadow.statistics().split_words, 1U);
  EXPECT_TRUE(SmallPolicy<8>::is_split(shadow.word(at).value));
  EXPECT_EQ(get(shadow, at, 4), 5U);
  EXPECT_EQ(get(shadow, at + 4, 4), 6U);
  set(shadow, at + 7, 1, 7);  // finer
  EXPECT_EQ(get(shadow, at, 4), 5U);
  EXPECT_EQ(get(shadow, at + 4, 3), 6U);
  EXPECT_EQ(get(shadow, at + 7, 1), 7U);
  EXPECT_EQ(shadow.statistics().split_words, 1U);
}

TEST_F(ShadowTest, JoinsAWordWhoseBytesAreTheSameAgain) {
  Words8 shadow;
  const Mapping mapping(kPage);
  const std::uintptr_t at = mapping.begin();
  for (int i = 0; i != 8; ++i) {
    set(shadow, at + i, 1, 3);
    EXPECT_EQ(shadow.statistics().split_words, i == 7 ? 0U : 1U) << i;
  }
  EXPECT_EQ(shadow.word(at).value, 3U);
  set(shadow, at + 2, 2, 4);
  set(shadow, at, 8, 9);  // over all of it
  EXPECT_EQ(shadow.word(at).value, 9U);
  EXPECT_EQ(shadow.statistics().split_words, 0U);
  set(shadow, at + 2, 2, 4);
  shadow.forget(at + 3, 5);
  shadow.forget(at, 3);
  EXPECT_EQ(shadow.word(at).value, 0U);
  EXPECT_EQ(shadow.statistics().split_words, 0U);
}

TEST_F(ShadowTest, CallsOncePerRunOfTheSameHistory) {
  Words8 shadow;
  const Mapping mapping(kPage);
  const std::uintptr_t at = mapping.begin();
  set(shadow, at + 3, 1, 1);
  using Calls = std::vector<std::pair<std::uintptr_t, std::size_t>>;
  Calls calls;
  const auto note = [&](auto&, std::uintptr_t from, std::size_t bytes) {
    calls.emplace_back(from - at, bytes);
  };
  shadow.for_each_piece(at + 1, 14, note);
  EXPECT_EQ(calls, (Calls{{1, 2}, {3, 1}, {4, 4}, {8, 7}}));
  calls.clear();
  shadow.for_each_piece(at, 0, note);
  shadow.for_each_piece(at + 3, 0, note);
  EXPECT_TRUE(calls.empty());
}

TEST_F(ShadowTest, GivesWordsOfARangeAsOneSpan) {
  Words8 shadow;
  const Mapping mapping(kMiB);
  std::vector<std::size_t> spans;
  std::size_t pieces = 0;
  const auto visit = [&](std::uintptr_t address, std::size_t bytes) {
    spans.clear();
    pieces = 0;
    shadow.for_range(
        address, bytes,
        [&](std::span<Words8::Cell> words, std::uintptr_t at) {
          EXPECT_EQ(words.data(), &shadow.word(at));
          spans.push_back(words.size());
        },
        [&](auto&, std::uintptr_t, std::size_t) { ++pieces; });
  };
  visit(mapping.begin(), kMiB);
  EXPECT_EQ(spans, std::vector<std::size_t>{kMiB / 8});
  EXPECT_EQ(pieces, 0U);
  visit(mapping.begin() + 1, kMiB - 2);
  EXPECT_EQ(spans, std::vector<std::size_t>{kMiB / 8 - 2});
  EXPECT_EQ(pieces, 2U);
  set(shadow, mapping.begin() + 5 * kPage + 16, 1, 1);
  visit(mapping.begin(), kMiB);
  EXPECT_EQ(spans, (std::vector<std::size_t>{5 * kPage / 8 + 2, kMiB / 8 - 5 * kPage / 8 - 3}));
  EXPECT_EQ(pieces, 2U);
}

TEST_F(ShadowTest, CostsNothingForAStackThatNobodyTouched) {
  Words8 shadow;
  const Mapping mapping(kGiB + 2 * kPage);
  const std::size_t before = shadow.statistics().resident_bytes;
  const auto start = std::chrono::steady_clock::now();
  constexpr int kTimes = 100;
  for (int i = 0; i != kTimes; ++i) shadow.forget(mapping.begin() + 123, kGiB);
  const std::chrono::duration<double, std::micro> each = (std::chrono::steady_clock::now() - start) / kTimes;
  EXPECT_LE(shadow.statistics().resident_bytes, before);
  // Clearing a gigabyte would take a hundred times as long.
  EXPECT_LT(each.count(), 1000);
}

TEST_F(ShadowTest, FindsTheFewSplitWordsOfAHugeRange) {
  Words8 shadow;
  const Mapping mapping(kGiB);
  for (std::size_t i = 0; i != 10; ++i) set(shadow, mapping.begin() + i * 97 * kMiB + i * 4099, 1, i + 1);
  EXPECT_EQ(shadow.statistics().split_words, 10U);
  shadow.forget(mapping.begin() + 1, kGiB - 1);
  EXPECT_EQ(shadow.statistics().split_words, 1U);
  shadow.forget(mapping.begin(), kGiB);
  EXPECT_EQ(shadow.statistics().split_words, 0U);
}

TEST_F(ShadowTest, IsAsLargeAsTheMemoryItShadows) {
  Words8 shadow;
  const Mapping mapping(64 * kMiB);
  const std::size_t before = shadow.statistics().resident_bytes;
  for (std::size_t at = 0; at != 64 * kMiB; at += 8) shadow.word(mapping.begin() + at).value = 1;
  EXPECT_EQ(shadow.statistics().resident_bytes - before, 64 * kMiB);
  // Two histories per word: another two cells for each.
  for (std::size_t at = 0; at != 64 * kMiB; at += 4) set(shadow, mapping.begin() + at, 4, 2 + at % 8);
  EXPECT_EQ(shadow.statistics().split_words, 8 * kMiB);
  EXPECT_NEAR(static_cast<double>(shadow.statistics().resident_bytes - before), 3 * 64.0 * kMiB, kMiB);
  shadow.forget(mapping.begin(), 64 * kMiB);
  EXPECT_LE(shadow.statistics().resident_bytes, before + kMiB);
}

TEST_F(ShadowTest, LargePolicyIsTwiceAsLarge) {
  Shadow<LargePolicy<8>> shadow;
  const Mapping mapping(16 * kMiB);
  for (std::size_t at = 0; at != 16 * kMiB; at += 8) set(shadow, mapping.begin() + at, 8, at + 1);
  EXPECT_EQ(shadow.statistics().resident_bytes, 32 * kMiB);
}

TEST_F(ShadowTest, ReturnsWhatTheProgramReturns) {
  Words8 shadow;
  const std::size_t before = shadow.statistics().resident_bytes;
  for (int round = 0; round != 3; ++round) {
    const Mapping mapping(3 * kPage);
    set(shadow, mapping.begin(), 3 * kPage, 1);
    EXPECT_EQ(shadow.statistics().resident_bytes, before + 3 * kPage);
    shadow.forget(mapping.begin(), 3 * kPage);  // small: likely to be used again
    EXPECT_EQ(shadow.statistics().resident_bytes, before + 3 * kPage);
    EXPECT_EQ(get(shadow, mapping.begin(), 3 * kPage), 0U);
    set(shadow, mapping.begin(), 3 * kPage, 1);
    shadow.release(mapping.begin(), 3 * kPage);
    EXPECT_EQ(shadow.statistics().resident_bytes, before);
  }
}

TEST_F(ShadowTest, ReservesAddressSpaceOnly) {
  const Words8 shadow;
  EXPECT_GE(shadow.statistics().reserved_bytes, std::size_t{1} << 44U);
  EXPECT_EQ(shadow.statistics().resident_bytes, 0U);
}

}  // namespace
}  // namespace anyorder::shadow
