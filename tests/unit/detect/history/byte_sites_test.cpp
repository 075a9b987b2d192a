// Random words whose bytes get sites one after the other, against eight plain sites for each.
#include "detect/history/byte_sites.hpp"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace anyorder::detect::history {
namespace {

constexpr SiteId kPlain = 1000;

struct Word {
  SiteId sites;
  ByteMask bytes;
  std::array<SiteId, 8> model{};
};

template <SiteId kMost>
class RandomWords {
 public:
  explicit RandomWords(unsigned seed, SiteId places) : random_(seed), places_(places) {}

  void step() {
    Word word = words_.empty() || below(4) == 0 ? plain() : words_[below(words_.size())];
    const Word other = words_.empty() || below(4) != 0 ? plain() : words_[below(words_.size())];
    const auto known = sites_.known(word.sites, word.bytes, other.sites, other.bytes);
    const auto after = sites_.with(word.sites, word.bytes, other.sites, other.bytes);
    if (known) {
      ASSERT_EQ(known, after);
    }
    for (unsigned byte = 0; byte != 8; ++byte) {
      const bool has = (word.bytes >> byte & 1U) != 0;
      if (!has && (other.bytes >> byte & 1U) != 0) word.model[byte] = other.model[byte];
    }
    word.bytes |= other.bytes;
    if (!after) {
      ASSERT_FALSE(uniform(word));
      ASSERT_FALSE(numbers_.contains(word.model));  // a combination that has a number keeps it
      ASSERT_EQ(numbers_.size(), kMost - kPlain);
      ++refused;
      return;
    }
    word.sites = *after;
    ASSERT_LT(word.sites, kMost);
    if (uniform(word)) {
      ASSERT_LT(word.sites, kPlain);
      ++plain_again;
    } else {
      ASSERT_GE(word.sites, kPlain);
      numbers_.insert(word.model);
      ++combined;
    }
    words_.push_back(word);
    // What was made before is what it was.
    for (const Word& made : {words_.back(), words_[below(words_.size())]}) {
      for (unsigned byte = 0; byte != 8; ++byte) {
        if ((made.bytes >> byte & 1U) == 0) continue;
        ASSERT_EQ(sites_.at(made.sites, byte), made.model[byte]) << "byte " << byte;
      }
    }
  }
  [[nodiscard]] std::size_t combinations() const { return numbers_.size(); }

  unsigned refused = 0;
  unsigned plain_again = 0;
  unsigned combined = 0;

 private:
  unsigned below(std::size_t bound) { return static_cast<unsigned>(random_() % bound); }
  // Some bytes that were accessed at one place.
  Word plain() {
    Word word{1 + below(places_), static_cast<ByteMask>(1 + below(255))};
    for (unsigned byte = 0; byte != 8; ++byte) {
      if ((word.bytes >> byte & 1U) != 0) word.model[byte] = word.sites;
    }
    return word;
  }
  static bool uniform(const Word& word) {
    std::set<SiteId> different;
    for (unsigned byte = 0; byte != 8; ++byte) {
      if ((word.bytes >> byte & 1U) != 0) different.insert(word.model[byte]);
    }
    return different.size() == 1;
  }

  std::mt19937 random_;
  SiteId places_;
  ByteSitesUpTo<kPlain, kMost> sites_;
  std::vector<Word> words_;
  std::set<std::array<SiteId, 8>> numbers_;
};

TEST(ByteSites, EveryByteHasItsSite) {
  for (unsigned seed = 0; seed != 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomWords<1'000'000> words(seed, 1 + seed);
    for (int i = 0; i != 3000 && !testing::Test::HasFailure(); ++i) words.step();
    EXPECT_EQ(words.refused, 0U);
    EXPECT_GT(words.plain_again, 0U);
    if (seed != 0) {
      EXPECT_GT(words.combined, 1000U);
    }
  }
}

TEST(ByteSites, WithNoNumberLeftOldCombinationsStay) {
  for (unsigned seed = 0; seed != 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    constexpr SiteId kFew = 50;
    RandomWords<kPlain + kFew> words(seed, 3);
    for (int i = 0; i != 3000 && !testing::Test::HasFailure(); ++i) words.step();
    EXPECT_EQ(words.combinations(), kFew);
    EXPECT_GT(words.refused, 100U);
    EXPECT_GT(words.combined, 100U);
  }
}

TEST(ByteSites, EqualCombinationsHaveOneNumber) {
  ByteSites sites;
  const auto one_way = sites.with(1, 0x0f, 2, 0xf0);
  const auto other_way = sites.with(2, 0xf0, 1, 0x0f);
  ASSERT_TRUE(one_way);
  EXPECT_EQ(one_way, other_way);
  EXPECT_EQ(sites.of({1, 1, 1, 1, 2, 2, 2, 2}), one_way);
  EXPECT_EQ(sites.known(1, 0x0f, 2, 0xf0), one_way);
  EXPECT_EQ(sites.known(1, 0x0f, 3, 0xf0), std::nullopt);
}

}  // namespace
}  // namespace anyorder::detect::history
