// Names that come from anywhere, on a terminal.
#include "report/printable.hpp"

#include <gtest/gtest.h>
#include <string>

#include "report/names.hpp"

namespace anyorder::report {
namespace {

TEST(Printable, Utf8StaysAsItIs) { EXPECT_EQ(printable("größe → 𝜋"), "größe → 𝜋"); }

TEST(Printable, WhatIsNoUtf8AndWhatSteersATerminalIsReplaced) {
  EXPECT_EQ(printable("a\xFF"
                      "b\xE2\x82"),
            "a\uFFFDb\uFFFD\uFFFD");
  EXPECT_EQ(printable("\033[2Jx\n\x7F\xC2\x9Bm"), "\uFFFD[2Jx\uFFFD\uFFFD\uFFFDm");
  EXPECT_EQ(printable("a\tb"), "a b");
}

TEST(Printable, TheMiddleOfALongNameIsLeftOut) {
  EXPECT_EQ(elided("short", 5), "short");
  const std::string name = "first<" + std::string(5000, 'x') + ">::last";
  const std::string shown = elided(name, 30);
  EXPECT_EQ(width_of(shown), 30U);
  EXPECT_TRUE(shown.starts_with("first<xxx")) << shown;
  EXPECT_TRUE(shown.ends_with("x>::last")) << shown;
  EXPECT_NE(shown.find("…"), std::string::npos);
  EXPECT_EQ(width_of(elided("ääääääääää", 4)), 4U);
}

TEST(Names, WithoutWhatTheLibraryAdds) {
  EXPECT_EQ(readable("std::vector<std::pair<int, long>, std::allocator<std::pair<int, long> > >"),
            "std::vector<std::pair<int, long>>");
  EXPECT_EQ(readable("std::map<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> "
                     ">, int, std::less<x>, std::allocator<y> >"),
            "std::map<std::string, int>");
  EXPECT_EQ(readable("f<, std::allocator<"), "f<, std::allocator<");
  EXPECT_EQ(readable("std::array<RULE, 3UL>"), "std::array<RULE, 3>");
}

TEST(Names, WithoutWhatCompilersAdd) {
  EXPECT_EQ(demangled("_ZN5names4textB5cxx11E"), "names::text");
  EXPECT_EQ(demangled("_ZL5state.0"), "state");
  EXPECT_EQ(demangled("_Znothing.0"), "_Znothing.0");
  EXPECT_EQ(in_words("__cxx_global_var_init.14"), "the initialisation of globals");
  EXPECT_EQ(in_words("__static_initialization_and_destruction_0(int, int)"), "the initialisation of globals");
  EXPECT_EQ(in_words("a::numbers(a::numbers(int)::_ZN1a7numbersEi.Frame*)"), "a::numbers(int)");
}

TEST(Names, ALambdaIsOneInTheFunctionAroundIt) {
  EXPECT_EQ(in_words("work(int)"), "work(int)");
  EXPECT_EQ(in_words("main::{lambda()#1}::operator()() const::{lambda(int)#2}::operator()(int) const"),
            "a lambda in main");
  EXPECT_EQ(in_words("main::$_0::operator()() const"), "a lambda in main");
  EXPECT_EQ(in_words("anyorder::detail::AsyncTask<f<int>(long)::{lambda()#1}>::run(void*)"),
            "a lambda in f<int>(long)");
  EXPECT_EQ(in_words("anyorder::detail::Pair<int, g::{lambda()#1}>::run()"), "a lambda in g");
  EXPECT_EQ(in_words("f()::$_0::operator()() const::{lambda()#1}::operator()() const"), "a lambda in f()");
  EXPECT_EQ(in_words("operator()"), "");
}

}  // namespace
}  // namespace anyorder::report
