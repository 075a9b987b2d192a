// TouchedMemory: the digest is that of what is left.

#include "explore/touched_memory.hpp"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "explore/bit_set.hpp"

namespace anyorder::exploring {
namespace {

Digest digest_of_words(const std::vector<Word>& words, const std::vector<std::pair<Word, Word>>& forgotten) {
  TouchedMemory memory;
  for (const Word word : words) memory.write(word, 0xff);
  static_cast<void>(memory.digest([](Word word) { return word * 3; }));
  memory.forget_all(forgotten);
  return memory.digest([](Word word) { return word * 3; });
}

TEST(TouchedMemory, ForgetsTheWordsOfEachRange) {
  const std::vector<Word> all{5, 10, 15, 20, 25, 30};
  EXPECT_EQ(digest_of_words(all, {{5, 10}, {16, 20}, {26, 29}}), digest_of_words({15, 25, 30}, {}));
  EXPECT_EQ(digest_of_words(all, {{0, 40}}), Digest{});
  EXPECT_EQ(digest_of_words(all, {}), digest_of_words(all, {{0, 4}, {31, 40}}));
  EXPECT_NE(digest_of_words(all, {}), digest_of_words({15, 25, 30}, {}));
}

TEST(BitSet, HasOneHashForTheSameNumbers) {
  BitSet one;
  one.insert(3);
  one.insert(70);
  BitSet other;
  other.insert(70);
  other.insert(200);
  other.insert(3);
  EXPECT_FALSE(one.has_those_of(other));
  EXPECT_FALSE(other.has_those_of(one));
  EXPECT_NE(one.hash(), other.hash());
  other.erase(200);  // leaves memory for it
  EXPECT_TRUE(one.has_those_of(other));
  EXPECT_EQ(one.hash(), other.hash());
}

}  // namespace
}  // namespace anyorder::exploring
