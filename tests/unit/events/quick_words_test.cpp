#include "events/quick_words.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace anyorder::events {
namespace {

constexpr std::uintptr_t kFirst = 0x4000;
constexpr std::uintptr_t kSecond = 0x4010;
constexpr std::uintptr_t kUnknown = 0x4020;
constexpr std::uint64_t kCalls = 77;
constexpr std::uintptr_t kStackTop = 0x9000;
constexpr std::uintptr_t kFrame = 0x8000;

struct Settled {
  std::uintptr_t begin;
  std::uint32_t bytes;
  std::uint32_t parts;
  bool writes;

  bool operator==(const Settled&) const = default;
};

class QuickWordsOf : public testing::Test {
 protected:
  QuickWordsOf() {
    own.task = reinterpret_cast<void*>(2);
    own.cells = reinterpret_cast<char*>(cells.data());
    own.counts = &counts;
    own.places = places.data();
    own.lines = lines.data();
    own.words = words.data();
    own.context = kCalls;
    own.step = kQuickNextStep;
    own.stack_top = kStackTop;
    quick_place_of(own, kFirst) = {kFirst, kCalls, 1U << 8U, {}};
    quick_place_of(own, kSecond) = {kSecond, kCalls, 2U << 8U, {}};
  }

  // Whether it is put off.
  template <Access kAccess = Access::read, unsigned kBytes = 4>
  bool access(std::uintptr_t address, std::uintptr_t pc) {
    return gathers<kAccess, kBytes>(own, address, pc, kFrame, [this](QuickWord& word) { settle(word); });
  }
  void settle(QuickWord& word) {
    settled.push_back({word.begin, word.bytes, word.count, word.writes});
    places_of.push_back(word.places);
    word.begin = 0;
  }
  void end_step() {
    end_words(own, [this](QuickWord& word) { settle(word); });
    end_lines(own);
  }

  std::array<QuickCell, 0x10000 / QuickCell::kLineBytes> cells{};
  QuickCounts counts{};
  std::array<QuickPlace, kQuickPlaces> places{};
  std::array<QuickLine, kQuickLines> lines{};
  std::array<QuickWord, kQuickWords> words{};
  QuickThread own{};
  std::vector<Settled> settled;
  std::vector<std::uintptr_t> places_of;
};

TEST_F(QuickWordsOf, TwoHalvesAreOneWord) {
  EXPECT_TRUE(access(0x1000, kFirst));
  EXPECT_TRUE(settled.empty());
  EXPECT_TRUE(access(0x1004, kSecond));
  EXPECT_EQ(settled, (std::vector<Settled>{{0x1000, 0xff, 2, false}}));
  end_step();
  EXPECT_EQ(settled.size(), 1U);
  EXPECT_EQ(counts.reads[0], 2U);
}

TEST_F(QuickWordsOf, PartsOfAllSizes) {
  EXPECT_TRUE((access<Access::write, 1>(0x1007, kFirst)));
  EXPECT_TRUE((access<Access::write, 2>(0x1004, kSecond)));
  EXPECT_TRUE((access<Access::write, 4>(0x1000, kSecond)));
  EXPECT_TRUE(settled.empty());
  EXPECT_TRUE((access<Access::write, 1>(0x1006, kFirst)));
  EXPECT_EQ(settled, (std::vector<Settled>{{0x1000, 0xff, 4, true}}));
}

TEST_F(QuickWordsOf, APartThatComesAgainIsOne) {
  for (int i = 0; i != 20; ++i) {
    lines.fill({});  // another line took the place of this one, and what it knew is forgotten
    EXPECT_TRUE(access(0x1000, kFirst));
    EXPECT_EQ(words[word_slot_of(0x1000)].count, 1U);
  }
  EXPECT_TRUE((access<Access::read, 1>(0x1007, kFirst)));
  lines.fill({});
  EXPECT_TRUE(access(0x1004, kSecond));  // with a byte that is there already
  EXPECT_EQ(settled, (std::vector<Settled>{{0x1000, 0xff, 3, false}}));
}

TEST_F(QuickWordsOf, WhatStaysAPartIsMadeWhenTheStepEnds) {
  EXPECT_TRUE(access(0x1004, kFirst));
  end_step();
  EXPECT_EQ(settled, (std::vector<Settled>{{0x1000, 0xf0, 1, false}}));
}

TEST_F(QuickWordsOf, AnotherWordInItsSlotOrAnotherKindOrCallerMakesIt) {
  EXPECT_TRUE(access(0x1000, kFirst));
  EXPECT_TRUE(access(0x1000 + 8 * kQuickWords, kFirst));
  EXPECT_TRUE(access<Access::write>(0x1000 + 8 * kQuickWords + 4, kFirst));
  own.context = kCalls + 1;
  quick_place_of(own, kFirst).context = kCalls + 1;
  EXPECT_TRUE(access<Access::write>(0x1000 + 8 * kQuickWords, kFirst));
  EXPECT_EQ(settled, (std::vector<Settled>{{0x1000, 0x0f, 1, false},
                                           {0x1000 + 8 * kQuickWords, 0x0f, 1, false},
                                           {0x1000 + 8 * kQuickWords, 0xf0, 1, true}}));
}

TEST_F(QuickWordsOf, TheOrderOfPlacesIsPartOfThem) {
  for (const auto& [low, high] : {std::pair{kFirst, kSecond}, {kSecond, kFirst}, {kFirst, kSecond}}) {
    EXPECT_TRUE(access(0x1000, low));
    EXPECT_TRUE(access(0x1004, high));
    end_step();
  }
  ASSERT_EQ(places_of.size(), 3U);
  EXPECT_NE(places_of[0], places_of[1]);
  EXPECT_EQ(places_of[0], places_of[2]);
  EXPECT_TRUE(std::all_of(places_of.begin(), places_of.end(),
                          [](std::uintptr_t one) { return (one & kGathered) != 0; }));
}

TEST_F(QuickWordsOf, NotWhereThePlaceIsNotKnownOrHasFailedOrIsNotAligned) {
  EXPECT_FALSE(access(0x1000, kUnknown));
  EXPECT_FALSE(access(0x1002, kFirst));
  quick_place_of(own, kFirst).fails = QuickPlace::kMostFails;
  EXPECT_FALSE(access(0x1000, kFirst));
}

TEST_F(QuickWordsOf, NotOfLocals) {
  EXPECT_FALSE(access(kFrame + 0x100, kFirst));
  EXPECT_TRUE(access(kStackTop, kFirst));
}

TEST_F(QuickWordsOf, NotWhatChangesNothing) {
  own.stands = 1;
  own.over = 1;
  QuickCell::line_at(own.cells, 0x1000).reader = {1, 3U << 8U | 0xff};
  EXPECT_FALSE(access(0x1000, kFirst));
  EXPECT_TRUE(access<Access::write>(0x1000, kFirst));
}

}  // namespace
}  // namespace anyorder::events
