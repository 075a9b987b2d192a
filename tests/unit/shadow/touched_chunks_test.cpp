// What was noted is taken, once, and nothing else is; held against a plain set of chunks.
#include "shadow/touched_chunks.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace anyorder::shadow {
namespace {

constexpr unsigned kWindowBits = 22;
constexpr std::size_t kWindow = std::size_t{1} << kWindowBits;
constexpr std::size_t kChunk = TouchedChunks::kChunk;

class Touched : public testing::Test {
 protected:
  std::set<std::size_t> take(std::size_t begin, std::size_t end) {
    std::set<std::size_t> chunks;
    std::size_t last = begin;
    touched_.take(begin, end, [&](std::size_t from, std::size_t to) {
      EXPECT_LE(last, from);
      EXPECT_LT(from, to);
      EXPECT_LE(to, end);
      last = to;
      for (std::size_t at = from / kChunk; at <= (to - 1) / kChunk; ++at) chunks.insert(at);
    });
    return chunks;
  }

  Reservation reservation_{TouchedChunks::bytes_for(kWindowBits), "a test"};
  TouchedChunks touched_{kWindowBits, reservation_};
};

TEST_F(Touched, TellsNeighboursAsOnePart) {
  touched_.note(5 * kChunk);
  touched_.note(6 * kChunk + 8);
  int parts = 0;
  touched_.take(0, kWindow, [&](std::size_t from, std::size_t to) {
    ++parts;
    EXPECT_EQ(from, 5 * kChunk);
    EXPECT_EQ(to, 7 * kChunk);
  });
  EXPECT_EQ(parts, 1);
  EXPECT_TRUE(take(0, kWindow).empty());
}

TEST_F(Touched, LeavesAChunkThatWasTakenInPart) {
  touched_.note(5 * kChunk);
  EXPECT_EQ(take(0, 5 * kChunk + 8), (std::set<std::size_t>{5}));
  EXPECT_EQ(take(5 * kChunk + 8, kWindow), (std::set<std::size_t>{5}));
  EXPECT_EQ(take(0, kWindow), (std::set<std::size_t>{5}));
  EXPECT_TRUE(take(0, kWindow).empty());
}

TEST_F(Touched, AgreesWithASet) {
  std::mt19937 random(7);
  std::set<std::size_t> expected;
  for (int round = 0; round != 20000; ++round) {
    const std::size_t place = random() % kWindow;
    if (random() % 4 != 0) {
      touched_.note(place);
      expected.insert(place / kChunk);
      continue;
    }
    const std::size_t end = place + random() % (kWindow - place + 1);
    std::set<std::size_t> in_range;
    for (const std::size_t chunk : expected) {
      if (place < end && chunk >= place / kChunk && chunk <= (end - 1) / kChunk) in_range.insert(chunk);
    }
    ASSERT_EQ(take(place, end), in_range) << place << " to " << end;
    for (const std::size_t chunk : in_range) {
      if (chunk * kChunk >= place && (chunk + 1) * kChunk <= end) expected.erase(chunk);
    }
  }
}

}  // namespace
}  // namespace anyorder::shadow
