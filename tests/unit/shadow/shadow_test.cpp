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

TEST_F(ShadowTest, LineIsTheCellOfAllItsBytes) {
  Words8 shadow;
  alignas(64) const char data[128] = {};
  shadow.line(address_of(data) + 3).value = 7;
  for (int i = 0; i != 64; ++i) EXPECT_EQ(&shadow.line(address_of(data) + i), &shadow.line(address_of(data)));
  EXPECT_EQ(&shadow.line(address_of(data) + 64), &shadow.line(address_of(data)) + 1);
  EXPECT_EQ(get(shadow, address_of(data), 64), 7U);
  EXPECT_EQ(get(shadow, address_of(data) + 5, 1), 7U);
  EXPECT_EQ(get(shadow, address_of(data) + 64, 64), 0U);
}

TEST_F(ShadowTest, OpensALineOnlyForADifference) {
  Words8 shadow;
  const Mapping mapping(kPage);
  const std::uintptr_t at = mapping.begin();
  const auto is_open = [&] { return Words8::is_open(shadow.line(at)); };
  set(shadow, at + 8, 8, 0);  // what is there already
  EXPECT_FALSE(is_open());
  set(shadow, at + 8, 8, 5);
  EXPECT_TRUE(is_open());
  EXPECT_EQ(get(shadow, at, 8), 0U);
  EXPECT_EQ(get(shadow, at + 8, 8), 5U);
  EXPECT_EQ(get(shadow, at + 16, 48), 0U);
  shadow.close(at);
  EXPECT_TRUE(is_open());
  set(shadow, at, 64, 5);
  EXPECT_TRUE(is_open());  // until it is closed
  shadow.close(at);
  EXPECT_FALSE(is_open());
  EXPECT_EQ(get(shadow, at, 64), 5U);
  EXPECT_EQ(get(shadow, at + 64, 64), 0U);
}

TEST_F(ShadowTest, UpdatesWhatStandsForAllBytes) {
  Words8 shadow;
  const Mapping mapping(kPage);
  const std::uintptr_t at = mapping.begin();
  const auto put = [&](std::uintptr_t address, std::size_t bytes, std::uint64_t value, bool done = true) {
    const auto set_value = [&](Words8::Cell& cell) {
      if (done) cell.value = value;
      return done;
    };
    return shadow.update(address, bytes, set_value,
                         [&](Words8::Cell& cell, std::uintptr_t piece, std::size_t size) {
                           EXPECT_EQ(piece, at + 12);
                           EXPECT_EQ(size, 4U);
                           return set_value(cell);
                         });
  };
  EXPECT_FALSE(put(at, 8, 1, false));
  EXPECT_TRUE(put(at, 8, 0));
  EXPECT_FALSE(Words8::is_open(shadow.line(at)));  // nothing was changed
  EXPECT_TRUE(put(at + 10, 2, 1));                 // for the word
  EXPECT_EQ(get(shadow, at, 8), 0U);
  EXPECT_EQ(get(shadow, at + 8, 8), 1U);
  EXPECT_EQ(get(shadow, at + 16, 8), 0U);
  set(shadow, at + 12, 4, 2);
  EXPECT_TRUE(put(at + 13, 1, 3));  // for the piece
  EXPECT_EQ(get(shadow, at + 8, 4), 1U);
  EXPECT_EQ(get(shadow, at + 12, 4), 3U);
  EXPECT_FALSE(put(at + 10, 4, 4));  // of two pieces
}

TEST_F(ShadowTest, ShortRangesThatAreForgottenLeaveTheirLinesOpen) {
  Words8 shadow;
  const Mapping mapping(kPage);
  const std::uintptr_t at = mapping.begin();
  set(shadow, at, 8, 1);
  set(shadow, at + 60, 1, 1);
  shadow.forget(at, 64);
  EXPECT_EQ(get(shadow, at, 64), 0U);
  EXPECT_EQ(shadow.statistics().split_words, 0U);
  EXPECT_TRUE(Words8::is_open(shadow.line(at)));
  shadow.forget(at, kPage);
  EXPECT_FALSE(Words8::is_open(shadow.line(at)));
  shadow.line(at).value = 1;
  shadow.forget(at + 8, 8);  // of a line that is not open
  EXPECT_EQ(get(shadow, at, 8), 1U);
  EXPECT_EQ(get(shadow, at + 8, 8), 0U);
  EXPECT_EQ(get(shadow, at + 16, 48), 1U);
}

TEST_F(ShadowTest, JoinsAWordWhenItIsTold) {
  Words8 shadow;
  const Mapping mapping(kPage);
  const std::uintptr_t at = mapping.begin();
  set(shadow, at + 8, 8, 5);
  EXPECT_TRUE(shadow.pieces_of(at).empty());              // not split
  EXPECT_TRUE(shadow.pieces_of(at + kPage / 2).empty());  // nor is its line open
  set(shadow, at + 2, 2, 6);
  ASSERT_EQ(shadow.pieces_of(at).size(), 4U);
  EXPECT_EQ(shadow.pieces_of(at)[1].value, 6U);
  shadow.join(at, shadow.cell_of(at + 8));
  EXPECT_TRUE(shadow.pieces_of(at).empty());
  EXPECT_EQ(shadow.statistics().split_words, 0U);
  EXPECT_EQ(get(shadow, at, 16), 5U);
  EXPECT_EQ(get(shadow, at + 16, 48), 0U);
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
  EXPECT_EQ(shadow.pieces_of(at + 5).size(), 2U);
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
  EXPECT_EQ(shadow.words(shadow.line(at))->value, 3U);
  set(shadow, at + 2, 2, 4);
  set(shadow, at, 8, 9);  // over all of it
  EXPECT_EQ(shadow.words(shadow.line(at))->value, 9U);
  EXPECT_EQ(shadow.statistics().split_words, 0U);
  set(shadow, at + 2, 2, 4);
  shadow.forget(at + 3, 5);
  shadow.forget(at, 3);
  EXPECT_EQ(shadow.words(shadow.line(at))->value, 0U);
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

TEST_F(ShadowTest, GivesLinesOfARangeAsOneSpan) {
  Words8 shadow;
  const Mapping mapping(kMiB);
  std::vector<std::size_t> spans;
  std::vector<std::size_t> words_of_lines;
  std::size_t parts = 0;
  const auto visit = [&](std::uintptr_t address, std::size_t bytes) {
    spans.clear();
    words_of_lines.clear();
    parts = 0;
    shadow.for_range(
        address, bytes,
        [&](std::span<Words8::Cell> lines, std::uintptr_t at) {
          EXPECT_EQ(lines.data(), &shadow.line(at));
          spans.push_back(lines.size());
        },
        [&](std::span<Words8::Cell> words, std::uintptr_t) { words_of_lines.push_back(words.size()); },
        [&](std::uintptr_t, std::size_t) { ++parts; });
  };
  visit(mapping.begin(), kMiB);
  EXPECT_EQ(spans, std::vector<std::size_t>{kMiB / 64});
  EXPECT_EQ(parts, 0U);
  visit(mapping.begin() + 1, kMiB - 2);
  EXPECT_EQ(spans, std::vector<std::size_t>{kMiB / 64 - 2});
  EXPECT_EQ(parts, 16U);  // the words of the first and of the last line
  set(shadow, mapping.begin() + 5 * kPage + 128, 8, 1);
  visit(mapping.begin(), kMiB);
  EXPECT_EQ(spans, (std::vector<std::size_t>{5 * kPage / 64 + 2, kMiB / 64 - 5 * kPage / 64 - 3}));
  EXPECT_EQ(words_of_lines, std::vector<std::size_t>{8});
  EXPECT_EQ(parts, 0U);
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

TEST_F(ShadowTest, IsAsLargeAsTheHistoriesThatItHas) {
  Words8 shadow;
  const Mapping mapping(64 * kMiB);
  const auto resident = [&] { return static_cast<double>(shadow.statistics().resident_bytes); };
  const double before = resident();
  // A history per line.
  for (std::size_t at = 0; at != 64 * kMiB; at += 64) shadow.line(mapping.begin() + at).value = 1;
  EXPECT_EQ(resident() - before, 8.0 * kMiB);
  // One per word, in a page or two of another size at the end; and the count of open lines.
  for (std::size_t at = 0; at != 64 * kMiB; at += 8) set(shadow, mapping.begin() + at, 8, 2 + at);
  EXPECT_NEAR(resident() - before, (8.0 + 64) * kMiB, 3.0 * kMiB);
  // Two per word: another two cells for each.
  for (std::size_t at = 0; at != 64 * kMiB; at += 4) set(shadow, mapping.begin() + at, 4, 2 + at % 8);
  EXPECT_EQ(shadow.statistics().split_words, 8 * kMiB);
  EXPECT_NEAR(resident() - before, (8.0 + 3 * 64) * kMiB, 3.0 * kMiB);
  shadow.forget(mapping.begin(), 64 * kMiB);
  EXPECT_LE(resident(), before + 2.0 * kMiB);
}

TEST_F(ShadowTest, ReturnsWhatTheProgramReturns) {
  Words8 shadow;
  constexpr std::size_t kBytes = 24 * kPage;  // three pages of cells, or more by where it lies
  const std::size_t before = shadow.statistics().resident_bytes;
  for (int round = 0; round != 3; ++round) {
    const Mapping mapping(kBytes);
    const std::uintptr_t begin = (mapping.begin() + 8 * kPage - 1) / (8 * kPage) * (8 * kPage);
    const auto fill = [&] {
      for (std::size_t at = 0; at != 2 * 8 * kPage; at += 64) shadow.line(begin + at).value = 1;
    };
    fill();
    EXPECT_EQ(shadow.statistics().resident_bytes, before + 2 * kPage);
    shadow.forget(begin, 2 * 8 * kPage);  // small: likely to be used again
    EXPECT_EQ(shadow.statistics().resident_bytes, before + 2 * kPage);
    EXPECT_EQ(get(shadow, begin, 2 * 8 * kPage), 0U);
    fill();
    shadow.release(begin, 2 * 8 * kPage);
    EXPECT_EQ(shadow.statistics().resident_bytes, before);
  }
}

TEST_F(ShadowTest, ReservesAddressSpaceOnly) {
  const Words8 shadow;
  EXPECT_GE(shadow.statistics().reserved_bytes, std::size_t{1} << 41U);
  EXPECT_EQ(shadow.statistics().resident_bytes, 0U);
}

}  // namespace
}  // namespace anyorder::shadow
