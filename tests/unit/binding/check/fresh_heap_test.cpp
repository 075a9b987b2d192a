// FreshHeap: what lies above all blocks before is new, and nothing else.

#include "binding/check/fresh_heap.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace anyorder::binding {
namespace {

constexpr std::uintptr_t kEnd = 0x5555'0000'0000;

TEST(FreshHeap, WhatLiesAboveAllBlocksIsNew) {
  FreshHeap heap(kEnd);
  EXPECT_TRUE(heap.take(kEnd + 16, 100));
  EXPECT_TRUE(heap.take(kEnd + 0x1000, 100));
  EXPECT_FALSE(heap.take(kEnd + 0x800, 100)) << "below one that there was";
  EXPECT_FALSE(heap.take(kEnd + 0x1000, 0x1000)) << "it has grown in its place";
  EXPECT_FALSE(heap.take(kEnd + 0x1fff, 1));
  EXPECT_TRUE(heap.take(kEnd + 0x2000, 1));
}

TEST(FreshHeap, ElsewhereNothingIsKnown) {
  FreshHeap heap(kEnd);
  EXPECT_FALSE(heap.take(kEnd - 16, 16));
  EXPECT_FALSE(heap.take(0x7fff'0000'0000, 16));
  EXPECT_TRUE(heap.take(kEnd, 16)) << "and blocks from there are not taken for blocks of the heap";
}

}  // namespace
}  // namespace anyorder::binding
