// Which frame stands for a trace.
#include "findings/own_code.hpp"

#include <gtest/gtest.h>

#include "findings/finding_set.hpp"

namespace anyorder::findings {
namespace {

Frame line(const char* file, std::uint32_t number, std::uintptr_t pc = 0x10) {
  return {pc, {file, number, 0, "f"}};
}

TEST(OwnCode, KnowsFilesOfLibraries) {
  EXPECT_TRUE(is_library_file("/usr/include/c++/12/bits/stl_vector.h"));
  EXPECT_TRUE(is_library_file("/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h"));
  EXPECT_TRUE(is_library_file("/usr/lib/llvm-14/lib/clang/14.0.6/include/emmintrin.h"));
  EXPECT_TRUE(is_library_file("/home/a/project/include/anyorder/async.hpp"));
  EXPECT_TRUE(is_library_file("include/anyorder/detail/task.hpp"));

  EXPECT_FALSE(is_library_file("/home/a/app.cpp"));
  EXPECT_FALSE(is_library_file("/usr/included.cpp"));
  EXPECT_FALSE(is_library_file("/home/a/usr/include/app.hpp"));
  EXPECT_FALSE(is_library_file("/home/a/myinclude/anyorder/app.hpp"));
  EXPECT_FALSE(is_library_file("/home/a/include/anyorderly/app.hpp"));
  EXPECT_FALSE(is_library_file(""));
}

TEST(OwnCode, SkipsFramesOfLibraries) {
  const Trace trace({line("/usr/include/c++/12/a.h", 1), line("/usr/include/c++/12/b.h", 2),
                     line("/app.cpp", 3), line("/main.cpp", 4)});
  EXPECT_EQ(frame_in_own_code(trace).source.line, 3U);
}

TEST(OwnCode, TakesTheInnermostFrameWhereNothingIsBetter) {
  EXPECT_EQ(frame_in_own_code(Trace()), Frame{});
  EXPECT_EQ(frame_in_own_code(Trace({line("/app.cpp", 3), line("/main.cpp", 4)})).source.line, 3U);
  EXPECT_EQ(frame_in_own_code(Trace({line("/usr/include/a.h", 1), line("/usr/include/b.h", 2)})).source.line,
            1U);
  // The line of an access is not known: its caller's would be another place.
  EXPECT_EQ(frame_in_own_code(Trace({line("", 0, 0x20), line("/main.cpp", 4)})).pc, 0x20U);
  // A frame without a line is no better than one in a library.
  EXPECT_EQ(frame_in_own_code(Trace({line("/usr/include/a.h", 1), line("", 0, 0x20)})).source.line, 1U);
  EXPECT_EQ(frame_in_own_code(Trace({line("/usr/include/a.h", 1), line("", 0, 0x20), line("/m.cpp", 4)}))
                .source.line,
            4U);
}

TEST(OwnCode, RacesAreGroupedByIt) {
  FindingSet set;
  for (std::uint32_t i = 0; i < 2; ++i) {
    Race race;
    race.address = 0x1000 + 8 * i;
    race.size = 4;
    race.first = {AccessKind::write, 1, Trace({line("/usr/include/a.h", 1), line("/app.cpp", 10 + i)}), {}};
    race.second = {AccessKind::read, 2, Trace({line("/usr/include/a.h", 1), line("/app.cpp", 20)}), {}};
    set.add(race);
  }
  EXPECT_EQ(set.snapshot().races.size(), 2U);
}

}  // namespace
}  // namespace anyorder::findings
