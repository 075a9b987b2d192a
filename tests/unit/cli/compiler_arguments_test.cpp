#include "cli/compiler_arguments.hpp"

#include <gtest/gtest.h>

#include "cli/words.hpp"

namespace anyorder::cli {
namespace {

CompilerArguments of(std::string_view line) { return understand(split_words(line)); }

TEST(CompilerArguments, WhatLinks) {
  for (const auto* line :
       {"a.cpp", "a.cpp -o a", "-shared a.o -o liba.so", "a.cpp b.cc c.C", "-x c++ -", "a.o", "-lfoo",
        "-MD a.cpp", "-MMD -MF a.d a.cpp", "-xc++ a.txt -o a", "a.h a.cpp", "lib/b.so.1", "a.s",
        "-o -c a.cpp", "-Xlinker -r a.o", "-include -c a.cpp", "-- a.cpp", "a.b/object"}) {
    EXPECT_TRUE(of(line).links) << line;
    EXPECT_TRUE(of(line).has_input) << line;
  }
}

TEST(CompilerArguments, WhatDoesNotLink) {
  for (const auto* line :
       {"-c a.cpp", "a.cpp -S -o -", "-E a.cpp", "-M a.cpp", "-MM a.cpp", "-fsyntax-only a.cpp", "a.hpp",
        "-x c++-header a.cpp", "-r a.o b.o -o c.o", "--compile a.cpp", "-E -dM -x c /dev/null"}) {
    EXPECT_FALSE(of(line).links) << line;
    EXPECT_TRUE(of(line).has_input) << line;
  }
}

TEST(CompilerArguments, WhatHasNoInput) {
  for (const auto* line :
       {"", "--version", "-v", "-dumpmachine", "-print-search-dirs", "-print-file-name=libc.so", "-o a",
        "-I include", "-x c++", "-Wl,--version", "-isystem a.cpp", "-mllvm a.cpp", "-###"}) {
    EXPECT_FALSE(of(line).has_input) << line;
    EXPECT_FALSE(of(line).links) << line;
  }
}

TEST(CompilerArguments, WhatCompiles) {
  for (const auto* line :
       {"a.cpp", "-c a.c", "a.o b.cc", "-x c++ a.txt", "-E -", "a.hpp", "a.ii", "-x none a.cpp"}) {
    EXPECT_TRUE(of(line).compiles) << line;
  }
  for (const auto* line :
       {"a.o", "a.o -lfoo", "-shared a.a -o a.so", "a.s", "-c a.S", "-x assembler a.cpp"}) {
    EXPECT_FALSE(of(line).compiles) << line;
  }
}

TEST(CompilerArguments, DebugLevel) {
  for (const auto* line :
       {"-g a.cpp", "-g0 a.cpp", "-ggdb3 a.cpp", "-gdwarf-4 a.cpp", "-gline-tables-only a.cpp"}) {
    EXPECT_TRUE(of(line).names_debug_level) << line;
  }
  for (const auto* line :
       {"a.cpp", "-gz a.cpp", "-gno-column-info a.cpp", "-gcc-toolchain /x a.cpp", "-o -g a.cpp"}) {
    EXPECT_FALSE(of(line).names_debug_level) << line;
  }
}

TEST(CompilerArguments, StandardAndLanguage) {
  for (const auto* line : {"-std=c++23 a.cpp", "--std=gnu++20 a.cpp", "-ansi a.cpp", "--std c++20 a.cpp"}) {
    EXPECT_TRUE(of(line).names_standard) << line;
    EXPECT_TRUE(of(line).has_input) << line;
  }
  EXPECT_FALSE(of("-stdlib=libc++ a.cpp").names_standard);
  EXPECT_TRUE(of("-x c a.c").names_other_language);
  EXPECT_TRUE(of("a.cpp -xc b.c").names_other_language);
  EXPECT_FALSE(of("-x c++ a.c").names_other_language);
  EXPECT_FALSE(of("-x c++-header a.h -x none").names_other_language);
  EXPECT_FALSE(of("-x assembler-with-cpp a.txt").names_other_language);
}

TEST(CompilerArguments, WhatCannotBeChecked) {
  EXPECT_TRUE(of("-fsanitize=thread a.cpp").has_threadsanitizer);
  EXPECT_TRUE(of("-fsanitize=undefined,thread a.cpp").has_threadsanitizer);
  EXPECT_FALSE(of("-fsanitize=address -fno-sanitize=thread a.cpp").has_threadsanitizer);
  EXPECT_TRUE(of("-static a.cpp").is_static);
  EXPECT_FALSE(of("-static-libstdc++ a.cpp").is_static);
}

}  // namespace
}  // namespace anyorder::cli
