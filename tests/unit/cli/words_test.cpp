#include "cli/words.hpp"

#include <gtest/gtest.h>

#include "scratch.hpp"

namespace anyorder::cli {
namespace {

using Words = std::vector<std::string>;

TEST(SplitWords, WhiteSpaceSeparates) {
  EXPECT_EQ(split_words("  ccache\tg++\n -O2 "), (Words{"ccache", "g++", "-O2"}));
  EXPECT_EQ(split_words(" \n"), Words{});
}

TEST(SplitWords, QuotesGroupAndBackslashesTakeTheNext) {
  EXPECT_EQ(split_words(R"(-DA="b c" '-I/x y' a\ b "" x'y'z)"),
            (Words{"-DA=b c", "-I/x y", "a b", "", "xyz"}));
  EXPECT_EQ(split_words(R"('a\'b' "c\"d")"), (Words{"a'b", "c\"d"}));
}

TEST(QuotedForShell, LeavesPlainWordsAlone) {
  EXPECT_EQ(quoted_for_shell(Words{"g++", "-std=c++20", "a b", "it's", ""}),
            R"(g++ -std=c++20 'a b' 'it'\''s' '')");
}

TEST(ResponseFiles, AreReplacedInPlaceAndRecursively) {
  const Scratch scratch;
  const auto inner = scratch.write("inner", "b.cpp 'c d.cpp'");
  const auto outer = scratch.write("outer", std::string("-c @") + inner.string() + "\n-O2");
  EXPECT_EQ(with_response_files(Words{"a.cpp", std::string("@") + outer.string(), "-g"}),
            (Words{"a.cpp", "-c", "b.cpp", "c d.cpp", "-O2", "-g"}));
}

TEST(ResponseFiles, ThatCannotBeReadStandForThemselves) {
  EXPECT_EQ(with_response_files(Words{"@/no/such/file", "@", "@/"}), (Words{"@/no/such/file", "@", "@/"}));
}

TEST(ResponseFiles, ThatIncludeThemselvesEnd) {
  const Scratch scratch;
  const auto self = scratch.write("self", std::string("x @") + (scratch / "self").string());
  const auto words = with_response_files(Words{std::string("@") + self.string()});
  EXPECT_EQ(words.size(), 2001U);
  EXPECT_EQ(words.front(), "x");
}

}  // namespace
}  // namespace anyorder::cli
