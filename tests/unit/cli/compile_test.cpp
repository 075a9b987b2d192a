#include "cli/compile.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "cli/exit_code.hpp"
#include "cli/words.hpp"
#include "scratch.hpp"

namespace anyorder::cli {
namespace {

using Words = std::vector<std::string>;

const Installation kSomewhere{"/opt/ao/bin/anyorder", "/opt/ao/lib", "/opt/ao/include"};
const Installation kSystem{"/usr/bin/anyorder", "/usr/lib", "/usr/include"};

Words made(CompilerFamily family, Language language, std::string_view line,
           const Installation& where = kSomewhere, Instrumentation kind = Instrumentation::hooks) {
  return instrumented_command({"compiler"}, family, kind, language, split_words(line), where);
}

std::ptrdiff_t place(const Words& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? -1 : found - words.begin();
}
bool has(const Words& words, std::string_view word) { return place(words, word) >= 0; }

TEST(Compile, GnuIsInstrumentedBySpecs) {
  const auto words = made(CompilerFamily::gnu, Language::cxx, "-c a.cpp -o a.o");
  // Before the user's arguments what they override, after them what they must not.
  EXPECT_EQ(Words(words.begin(), words.begin() + 7),
            (Words{"compiler", "-g", "-std=c++20", "-c", "a.cpp", "-o", "a.o"}));
  EXPECT_GE(place(words, "-specs=/opt/ao/lib/cmake/anyorder/instrument.specs"), 7);
  EXPECT_GE(place(words, "-DANYORDER_INSTRUMENT=1"), 7);
  EXPECT_EQ(words.back(), "-I/opt/ao/include");
}

TEST(Compile, ClangsOptionsComeAfterTheUsers) {
  const auto words = made(CompilerFamily::clang, Language::cxx, "-O3 -fvectorize -fslp-vectorize -c a.cpp");
  EXPECT_LT(place(words, "-fvectorize"), place(words, "-fno-vectorize"));
  EXPECT_LT(place(words, "-fslp-vectorize"), place(words, "-fno-slp-vectorize"));
  EXPECT_TRUE(has(words, "-fsanitize=thread"));
  EXPECT_TRUE(has(words, "-fno-sanitize-link-runtime"));
  EXPECT_FALSE(has(words, "-lanyorder"));
}

TEST(Compile, ThePassLeavesVectorsAlone) {
  const auto words =
      made(CompilerFamily::clang, Language::cxx, "-O3 -c a.cpp", kSomewhere, Instrumentation::pass);
  EXPECT_TRUE(has(words, "-fpass-plugin=/opt/ao/lib/anyorder/anyorder_pass_clang19.so"));
  EXPECT_TRUE(has(words, "-fsanitize=thread"));
  EXPECT_FALSE(has(words, "-fno-vectorize"));
}

TEST(Compile, TheUsersStandardAndDebugLevelStay) {
  const auto words = made(CompilerFamily::gnu, Language::cxx, "-std=c++23 -g1 -c a.cpp");
  EXPECT_FALSE(has(words, "-std=c++20"));
  EXPECT_FALSE(has(words, "-g"));
}

TEST(Compile, CHasNoStandardOfOurs) {
  EXPECT_FALSE(has(made(CompilerFamily::gnu, Language::c, "-c a.c"), "-std=c++20"));
  EXPECT_FALSE(has(made(CompilerFamily::clang, Language::cxx, "-x c -c a.c"), "-std=c++20"));
}

TEST(Compile, LinkingAddsTheLibraryAfterTheObjects) {
  for (const auto family : {CompilerFamily::gnu, CompilerFamily::clang}) {
    for (const auto* line : {"a.o -o a", "a.cpp -o a", "-shared a.o -o liba.so"}) {
      const auto words = made(family, Language::cxx, line);
      const auto library = place(words, "-lanyorder");
      ASSERT_GT(library, place(words, "-o")) << line;
      EXPECT_TRUE(has(words, "-L/opt/ao/lib")) << line;
      EXPECT_EQ(words.back(), "/opt/ao/lib") << line;
      EXPECT_EQ(words[words.size() - 3], "-rpath") << line;
    }
  }
}

TEST(Compile, ObjectsAloneGetNoOptionsOfSources) {
  const auto words = made(CompilerFamily::gnu, Language::cxx, "a.o -o a");
  EXPECT_FALSE(has(words, "-g"));
  EXPECT_FALSE(has(words, "-std=c++20"));
  // With -flto it is the linker's process that instruments.
  EXPECT_TRUE(has(words, "-specs=/opt/ao/lib/cmake/anyorder/instrument.specs"));
}

TEST(Compile, AnInstallationInSystemFoldersNeedsNoPaths) {
  const auto words = made(CompilerFamily::gnu, Language::cxx, "a.cpp", kSystem);
  EXPECT_TRUE(has(words, "-lanyorder"));
  EXPECT_FALSE(has(words, "-I/usr/include"));
  EXPECT_FALSE(has(words, "-L/usr/lib"));
  EXPECT_FALSE(has(words, "-rpath"));
}

TEST(Compile, WithoutInputNothingIsAdded) {
  for (const auto* line : {"--version", "-v", "-dumpmachine", "-print-search-dirs", ""}) {
    auto expected = split_words(line);
    expected.insert(expected.begin(), "compiler");
    EXPECT_EQ(made(CompilerFamily::clang, Language::cxx, line), expected);
  }
}

TEST(Compile, ResponseFilesAreLookedIntoAndPassedOn) {
  const Scratch scratch;
  const auto file = std::string("@") + scratch.write("args", "-c -std=c++23 'a b.cpp'").string();
  const auto words = instrumented_command({"compiler"}, CompilerFamily::gnu, Instrumentation::hooks,
                                          Language::cxx, Words{file}, kSomewhere);
  EXPECT_TRUE(has(words, file));
  EXPECT_FALSE(has(words, "-lanyorder"));
  EXPECT_FALSE(has(words, "-std=c++20"));
  EXPECT_FALSE(has(words, "a b.cpp"));
}

TEST(Compile, NothingFollowsTheFilesAfterTheMark) {
  const auto words = made(CompilerFamily::clang, Language::cxx, "-o a -- a.cpp");
  EXPECT_EQ(words.back(), "a.cpp");
  EXPECT_LT(place(words, "-lanyorder"), place(words, "--"));
}

TEST(Compile, RefusesWhatCannotBeChecked) {
  EXPECT_THROW(static_cast<void>(made(CompilerFamily::gnu, Language::cxx, "-fsanitize=thread a.cpp")),
               UsageError);
  EXPECT_THROW(static_cast<void>(made(CompilerFamily::gnu, Language::cxx, "-static a.cpp")), UsageError);
  EXPECT_NO_THROW(static_cast<void>(made(CompilerFamily::gnu, Language::cxx, "-static -c a.cpp")));
}

}  // namespace
}  // namespace anyorder::cli
