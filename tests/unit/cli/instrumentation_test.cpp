#include "cli/instrumentation.hpp"

#include <gtest/gtest.h>

#include "cli/exit_code.hpp"
#include "scratch.hpp"

namespace anyorder::cli {
namespace {

using Words = std::vector<std::string>;

constexpr int kClang = 19;

TEST(Instrumentation, TheArgumentGoesBeforeTheVariable) {
  Words words{"-c", "--instrument=hooks", "a.cpp"};
  EXPECT_EQ(asked_instrumentation(words, "pass"), Instrumentation::hooks);
  EXPECT_EQ(words, (Words{"-c", "a.cpp"}));
  EXPECT_EQ(asked_instrumentation(words, "pass"), Instrumentation::pass);
  EXPECT_EQ(asked_instrumentation(words, ""), std::nullopt);
}

TEST(Instrumentation, OtherWordsAreRefused) {
  Words words{"--instrument=both"};
  EXPECT_THROW(static_cast<void>(asked_instrumentation(words, "")), UsageError);
  words.clear();
  EXPECT_THROW(static_cast<void>(asked_instrumentation(words, "no")), UsageError);
}

TEST(Instrumentation, ThePassNeedsItsClangAndItsFile) {
  const Scratch scratch;
  const Installation without{"", scratch / "nothing", ""};
  const Installation with{"", scratch / "lib", ""};
  std::filesystem::create_directories(with.pass().parent_path());
  std::ofstream(with.pass()) << "loaded by clang";
  const CompilerIdentity right{CompilerFamily::clang, kClang};
  const CompilerIdentity old{CompilerFamily::clang, kClang - 1};
  const CompilerIdentity gnu{CompilerFamily::gnu, kClang};

  EXPECT_EQ(choose_instrumentation({}, right, with).kind, Instrumentation::pass);
  EXPECT_EQ(choose_instrumentation(Instrumentation::hooks, right, with).kind, Instrumentation::hooks);
  for (const auto& other : {old, gnu}) {
    const auto choice = choose_instrumentation({}, other, with);
    EXPECT_EQ(choice.kind, Instrumentation::hooks);
    EXPECT_EQ(choice.message, "");  // nobody asked
    const auto asked = choose_instrumentation(Instrumentation::pass, other, with);
    EXPECT_EQ(asked.kind, Instrumentation::hooks);
    EXPECT_NE(asked.message.find("not clang"), std::string::npos);
  }
  const auto missing = choose_instrumentation(Instrumentation::pass, right, without);
  EXPECT_EQ(missing.kind, Instrumentation::hooks);
  EXPECT_NE(missing.message.find("is missing"), std::string::npos);
}

}  // namespace
}  // namespace anyorder::cli
