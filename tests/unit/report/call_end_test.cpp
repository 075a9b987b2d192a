#include "report/call_end.hpp"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace anyorder::report {
namespace {

std::uint32_t end_in(const std::string& text, std::uint32_t begin,
                     std::vector<std::string_view> functions = {"finish", "forall"}) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return end_of_call(lines, begin, functions);
}

TEST(CallEnd, IsTheLineOfTheClosingParenthesis) {
  EXPECT_EQ(end_in("ao::finish([&] {\n  f(1);\n});\ng();\n", 1), 3U);
  EXPECT_EQ(end_in("int x;\n  ao::finish (f);\n", 2), 2U);
  EXPECT_EQ(end_in("return finish([&] {\n  return g();\n}) + 1;\n", 1), 3U);
}

TEST(CallEnd, IsThatOfTheFunctionThatIsMeant) {
  const std::string nested = "ao::finish([&] { ao::async([&] {\n  f();\n });\n  g();\n});\n";
  EXPECT_EQ(end_in(nested, 1), 5U);
  EXPECT_EQ(end_in(nested, 1, {"async"}), 3U);
  EXPECT_EQ(end_in("finish_if([&] {\n});\n", 1), 0U);
  EXPECT_EQ(end_in("int finish = 1;\n", 1), 0U);
}

TEST(CallEnd, OfSeveralCallsIsKnownIfTheyEndTogether) {
  EXPECT_EQ(end_in("finish(f); finish(g);\n", 1), 1U);
  EXPECT_EQ(end_in("finish(f); finish([] {\n});\n", 1), 0U);
  EXPECT_EQ(end_in("finish([] { forall(0, 9, [](int i) {\n}); });\n", 1), 2U);
}

TEST(CallEnd, IsNotFoundInLiteralsAndComments) {
  EXPECT_EQ(
      end_in("finish([] { f(\")\", ')', '\\'', \"\\\")\");  // )\n /* ) */ /*\n) */ x = 1'000 + (2);\n});\n",
             1),
      4U);
  EXPECT_EQ(end_in("finish([] { f(R\"x()\")\n\" )x\", u8R\"(\n))\");\n});\n", 1), 4U);
  EXPECT_EQ(end_in("/* finish( */ finish([] {\n});\n", 1), 2U);
  EXPECT_EQ(end_in("f(\"(\"); finish([] {\n});\n", 1), 2U);
}

TEST(CallEnd, IsLeftOpenWhereConditionalCodeDecides) {
  EXPECT_EQ(end_in("finish([] {\n#if A\n  f(\n#else\n  g(\n#endif\n  1);\n});\n", 1), 0U);
  EXPECT_EQ(end_in("finish([] {\n#ifdef A\n  f();\n#endif\n});\n", 1), 5U);
  EXPECT_EQ(end_in("#define OPEN f( \\\n  (\nfinish([] {\n#define CLOSE )\n});\n", 3), 5U);
  // Before the call it does not matter.
  EXPECT_EQ(end_in("#if A\nif (a) {\n#else\nif (b) {\n#endif\n  finish([] {\n  });\n}\n", 6), 7U);
}

TEST(CallEnd, IsNotKnownOfWhatIsNoProgram) {
  EXPECT_EQ(end_in("finish([] {\n", 1), 0U);
  EXPECT_EQ(end_in("finish([] {\n)}\n", 1), 0U);
  EXPECT_EQ(end_in("finish(R\"(\n", 1), 0U);
  EXPECT_EQ(end_in("finish(\"\\", 1), 0U);
  EXPECT_EQ(end_in("", 1), 0U);
  EXPECT_EQ(end_in("finish(f);\n", 0), 0U);
  EXPECT_EQ(end_in("finish(f);\n", 3), 0U);
}

}  // namespace
}  // namespace anyorder::report
