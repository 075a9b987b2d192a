#include "cli/installation.hpp"

#include <gtest/gtest.h>

namespace anyorder::cli {
namespace {

TEST(Installation, IsFoundFromTheCommand) {
  const auto here = installation_of("/opt/ao/bin/anyorder");
  EXPECT_EQ(here.headers, "/opt/ao/include");
  EXPECT_EQ(here.libraries.string().rfind("/opt/ao/lib", 0), 0U) << here.libraries;
  const auto variant = here.variant("graph");
  EXPECT_EQ(variant.parent_path(), here.libraries / "anyorder" / "graph");
  EXPECT_EQ(variant.filename().string().rfind("libanyorder.so.", 0), 0U) << variant;
  EXPECT_EQ(here.specs(), here.libraries / "cmake/anyorder/instrument.specs");
}

TEST(Installation, OfThisProcessIsAbsolute) { EXPECT_TRUE(this_installation().libraries.is_absolute()); }

TEST(Installation, DefaultFolders) {
  EXPECT_TRUE(is_default_header_folder("/usr/include"));
  EXPECT_FALSE(is_default_header_folder("/usr/local/include"));
  EXPECT_TRUE(is_default_library_folder("/usr/lib"));
  EXPECT_TRUE(is_default_library_folder("/usr/lib64"));
  EXPECT_FALSE(is_default_library_folder("/usr/local/lib"));
  EXPECT_FALSE(is_default_library_folder("/usr/lib/anyorder"));
}

}  // namespace
}  // namespace anyorder::cli
