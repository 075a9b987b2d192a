#include "cli/program_lookup.hpp"

#include <gtest/gtest.h>

#include "scratch.hpp"

namespace anyorder::cli {
namespace {

class ProgramLookup : public testing::Test {
 protected:
  ProgramLookup() {
    std::filesystem::create_directories(scratch / "a/folder");
    std::filesystem::create_directories(scratch / "b/tool");
    scratch.write("a/tool", "#!/bin/sh\n");
    scratch.write("b/run", "#!/bin/sh\n");
    std::filesystem::permissions(scratch / "b/run", std::filesystem::perms::owner_all);
    a = scratch / "a";
    b = scratch / "b";
  }
  Scratch scratch;
  std::string a;
  std::string b;
};

TEST_F(ProgramLookup, SearchesTheFoldersInOrder) {
  const auto found = find_program("run", "/no/such:" + a + ":" + b);
  EXPECT_EQ(found.lookup, Lookup::found);
  EXPECT_EQ(found.path, scratch / "b/run");
  EXPECT_EQ(find_program("run", a).lookup, Lookup::missing);
  EXPECT_EQ(find_program("", a).lookup, Lookup::missing);
}

TEST_F(ProgramLookup, AFileThatCannotBeRunIsRemembered) {
  EXPECT_EQ(find_program("tool", a + ":" + b).lookup, Lookup::not_executable);
  EXPECT_EQ(find_program("tool", b).lookup, Lookup::missing);
}

TEST_F(ProgramLookup, ASlashMakesAPath) {
  EXPECT_EQ(find_program(b + "/run", "").lookup, Lookup::found);
  EXPECT_EQ(find_program(a + "/tool", "").lookup, Lookup::not_executable);
  EXPECT_EQ(find_program(a + "/folder", "").lookup, Lookup::directory);
  EXPECT_EQ(find_program(a + "/none", b).lookup, Lookup::missing);
}

TEST_F(ProgramLookup, AnEmptyFolderIsTheCurrentOne) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(b);
  EXPECT_EQ(find_program("run", a + ":").lookup, Lookup::found);
  EXPECT_EQ(find_program("run", ":" + a).lookup, Lookup::found);
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace anyorder::cli
