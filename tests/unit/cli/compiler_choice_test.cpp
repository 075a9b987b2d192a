#include "cli/compiler_choice.hpp"

#include <gtest/gtest.h>
#include <map>
#include <set>

#include "cli/exit_code.hpp"
#include "scratch.hpp"

namespace anyorder::cli {
namespace {

using Words = std::vector<std::string>;

struct World {
  std::map<std::string, std::string> variables;
  std::set<std::string> programs;
  bool has_pass = false;

  [[nodiscard]] Words chooses(Language language) const {
    return choose_compiler(language,
                           {[this](const char* name) -> std::optional<std::string> {
                              const auto found = variables.find(name);
                              return found == variables.end() ? std::nullopt : std::optional(found->second);
                            },
                            [this](const std::string& word) { return programs.contains(word); },
                            [](const std::string& word) { return word.starts_with("anyorder"); }, has_pass});
  }
};

TEST(CompilerChoice, OwnVariableFirst) {
  const World world{{{"ANYORDER_CXX", "clang++-19"}, {"CXX", "g++"}}, {"clang++-19", "g++", "clang++"}};
  EXPECT_EQ(world.chooses(Language::cxx), Words{"clang++-19"});
  EXPECT_EQ((World{{{"ANYORDER_CC", "mycc"}, {"CC", "gcc"}}, {"mycc", "gcc"}}.chooses(Language::c)),
            Words{"mycc"});
}

TEST(CompilerChoice, TheUsualVariableMayHoldSeveralWords) {
  const World world{{{"CXX", "ccache g++ -m64"}}, {"ccache", "g++", "clang++"}};
  EXPECT_EQ(world.chooses(Language::cxx), (Words{"ccache", "g++", "-m64"}));
}

TEST(CompilerChoice, NeverAnyorderItself) {
  for (const auto* value : {"anyorder c++", "anyorder-c++", "ccache anyorder-c++"}) {
    EXPECT_EQ((World{{{"CXX", value}}, {"anyorder", "ccache", "g++"}}.chooses(Language::cxx)), Words{"g++"})
        << value;
  }
  EXPECT_THROW(
      static_cast<void>(World{{{"ANYORDER_CXX", "anyorder c++"}}, {"anyorder"}}.chooses(Language::cxx)),
      UsageError);
}

TEST(CompilerChoice, TheClangOfThePassFirstIfThereIsThePass) {
  const std::set<std::string> all{"clang++-19", "clang-19", "clang++", "g++", "gcc"};
  EXPECT_EQ((World{{}, all, true}.chooses(Language::cxx)), Words{"clang++-19"});
  EXPECT_EQ((World{{}, all, true}.chooses(Language::c)), Words{"clang-19"});
  EXPECT_EQ((World{{}, all, false}.chooses(Language::cxx)), Words{"g++"});
  EXPECT_EQ((World{{}, {"g++", "clang++"}, true}.chooses(Language::cxx)), Words{"g++"});
  EXPECT_EQ((World{{{"CXX", "g++"}}, all, true}.chooses(Language::cxx)), Words{"g++"});
}

TEST(CompilerChoice, GccBeforeClang) {
  EXPECT_EQ((World{{}, {"clang++", "g++"}}.chooses(Language::cxx)), Words{"g++"});
  EXPECT_EQ((World{{{"CXX", " "}}, {"g++"}}.chooses(Language::cxx)), Words{"g++"});
  EXPECT_EQ((World{{}, {"clang", "gcc"}}.chooses(Language::c)), Words{"gcc"});
  EXPECT_EQ((World{{}, {"gcc"}}.chooses(Language::c)), Words{"gcc"});
}

TEST(CompilerChoice, NoneIsAnErrorThatNamesTheFix) {
  try {
    static_cast<void>(World{}.chooses(Language::cxx));
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("ANYORDER_CXX"), std::string::npos);
  }
  EXPECT_THROW(static_cast<void>(World{{{"CXX", "nosuch"}}, {"g++"}}.chooses(Language::cxx)), UsageError);
}

TEST(CompilerChoice, FamilyByWhatTheCompilerSays) {
  const Scratch scratch;
  const auto program = [&](const std::string& name, const std::string& macro) {
    const auto path = scratch.write(name, "#!/bin/sh\necho '#define " + macro + " 1'\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return Words{path.string()};
  };
  EXPECT_EQ(identity_of(program("g++", "__clang__")).family, CompilerFamily::clang);
  EXPECT_EQ(identity_of(program("clang++", "__GNUC__")).family, CompilerFamily::gnu);
  EXPECT_THROW(static_cast<void>(identity_of(program("cl", "_MSC_VER"))), UsageError);
  EXPECT_THROW(static_cast<void>(identity_of({(scratch / "nosuch").string()})), UsageError);
}

TEST(CompilerChoice, ThisProcessKnowsItselfByOtherNames) {
  const Scratch scratch;
  const auto link = scratch / "c++";
  std::filesystem::create_symlink(std::filesystem::read_symlink("/proc/self/exe"), link);
  EXPECT_TRUE(surroundings(false).is_anyorder(link.string()));
  EXPECT_TRUE(surroundings(false).is_anyorder("/somewhere/bin/anyorder-cc"));
  EXPECT_FALSE(surroundings(false).is_anyorder("/bin/sh"));
}

}  // namespace
}  // namespace anyorder::cli
