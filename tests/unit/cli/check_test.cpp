#include "cli/check.hpp"

#include <cstdlib>
#include <gtest/gtest.h>

#include "cli/exit_code.hpp"
#include "cli/observed_run.hpp"
#include "cli/run.hpp"
#include "cli/words.hpp"

namespace anyorder::cli {
namespace {

using Words = std::vector<std::string>;

class Check : public testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv("ANYORDER_DETECTOR");
    ::unsetenv("ANYORDER_JSON");
  }
  void TearDown() override { SetUp(); }

  static CheckOptions options(std::string_view line) { return check_options(split_words(line)).value(); }
  static std::string error(std::string_view line) {
    try {
      static_cast<void>(check_options(split_words(line)));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(Check, TheProgramBeginsAtTheFirstWordThatIsNoOption) {
  const auto all = options("--quiet --json r.json ./app --json x --help -q");
  EXPECT_EQ(all.command, (Words{"./app", "--json", "x", "--help", "-q"}));
  EXPECT_EQ(all.json, "r.json");
  EXPECT_TRUE(all.quiet);
  EXPECT_FALSE(all.stats);
  EXPECT_EQ(all.detector, "dtrg");
}

TEST_F(Check, TheMarkEndsTheOptions) {
  const auto all = options("--stats -- ./app --json x -- y");
  EXPECT_EQ(all.command, (Words{"./app", "--json", "x", "--", "y"}));
  EXPECT_EQ(all.json, "");
  EXPECT_TRUE(all.stats);
}

TEST_F(Check, AMarkAfterTheProgramIsTheProgramsOwn) {
  EXPECT_EQ(options("./app -- --stats").command, (Words{"./app", "--", "--stats"}));
}

TEST_F(Check, AProgramAfterTheMarkMayLookLikeAnOption) {
  EXPECT_EQ(options("-- -app").command, Words{"-app"});
}

TEST_F(Check, ValuesMayBeJoined) {
  const auto all = options("--detector=graph --graph=g.dot ./app");
  EXPECT_EQ(all.graph, "g.dot");
  EXPECT_EQ(all.command, Words{"./app"});
}

TEST_F(Check, TheEnvironmentGivesDefaults) {
  ::setenv("ANYORDER_DETECTOR", "nosuch", 1);
  ::setenv("ANYORDER_JSON", "env.json", 1);
  EXPECT_NE(error("./app").find("nosuch"), std::string::npos);
  EXPECT_EQ(options("--detector graph ./app").json, "env.json");
  EXPECT_EQ(options("--detector graph --json own.json ./app").json, "own.json");
}

TEST_F(Check, WrongArgumentsNameTheFix) {
  EXPECT_NE(error("--detector nosuch ./app").find("graph"), std::string::npos);
  EXPECT_NE(error("").find("There is no program"), std::string::npos);
  EXPECT_NE(error("--quiet --").find("There is no program"), std::string::npos);
  EXPECT_NE(error("--jsn x ./app").find("--jsn"), std::string::npos);
  EXPECT_NE(error("--json").find("--json"), std::string::npos);
  EXPECT_NE(error("--graph g.png ./app").find(".json"), std::string::npos);
}

TEST_F(Check, TheProgramsEnvironment) {
  const Words inherited{"HOME=/root",      "LD_PRELOAD=/x.so",        "ANYORDER_DETECTOR=graph",
                        "ANYORDER_JSON=r", "ANYORDER_DETECTORS=mine", "ANYORDER_WORKERS=2"};
  EXPECT_EQ(
      observed_environment(inherited, "/v.so", Words{"ANYORDER_RECORD=/records", "ANYORDER_GRAPH=/g.dot"}),
      (Words{"HOME=/root", "ANYORDER_DETECTORS=mine", "ANYORDER_WORKERS=2", "LD_PRELOAD=/v.so:/x.so",
             "ANYORDER_RECORD=/records", "ANYORDER_GRAPH=/g.dot"}));
  EXPECT_EQ(observed_environment(Words{"LD_PRELOAD=", "ANYORDER_JOINS=off"}, "/v.so",
                                 Words{"ANYORDER_JOINS=known"}),
            (Words{"LD_PRELOAD=/v.so", "ANYORDER_JOINS=known"}));
}

TEST(Run, Options) {
  const auto options = run_options(Words{"--joins", "cycle", "--json", "r.json", "./app", "--", "x"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->joins, "cycle");
  EXPECT_EQ(options->json, "r.json");
  EXPECT_EQ(options->command, (Words{"./app", "--", "x"}));
  EXPECT_EQ(run_options(Words{"--", "./app", "-v"})->joins, "known");
  EXPECT_EQ(run_options(Words{"--", "./app", "-v"})->command, (Words{"./app", "-v"}));
  EXPECT_THROW(static_cast<void>(run_options(Words{"--joins", "all", "./app"})), UsageError);
  EXPECT_THROW(static_cast<void>(run_options(Words{"--jons", "./app"})), UsageError);
  EXPECT_THROW(static_cast<void>(run_options(Words{})), UsageError);
}

TEST_F(Check, ExitCodes) {
  const auto code = [](findings::Verdict verdict, int exit_code, int signal) {
    report::Report report;
    report.verdict = verdict;
    report.run.exit_code = exit_code;
    report.run.signal = signal;
    return exit_code_of(report);
  };
  EXPECT_EQ(code(findings::Verdict::clean, 0, 0), 0);
  EXPECT_EQ(code(findings::Verdict::clean, 3, 0), 3);
  EXPECT_EQ(code(findings::Verdict::clean, 0, 9), 137);
  EXPECT_EQ(code(findings::Verdict::race, 0, 0), 66);
  EXPECT_EQ(code(findings::Verdict::deadlock, 1, 0), 66);
  EXPECT_EQ(code(findings::Verdict::unknown, 3, 0), 65);
}

}  // namespace
}  // namespace anyorder::cli
