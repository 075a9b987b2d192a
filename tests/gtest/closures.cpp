// EXPECT_RACE_FREE in a test program: what passes, what fails, and that each is checked by itself.
#include <anyorder/anyorder.hpp>
#include <anyorder/gtest.hpp>
namespace ao = anyorder;

namespace {

int shared = 0;
int runs = 0;

void racy() {
  ao::async([] { shared = 1; });
  shared = 2;
}
void clean() {
  ao::finish([] { ao::async([] { shared = 1; }); });
  shared = 2;
}

TEST(Closures, Clean) {
  EXPECT_RACE_FREE(clean);
  EXPECT_RACE_FREE([] { ao::forall(0, 4, [](int /*i*/) {}); });
}

TEST(Closures, Racy) { EXPECT_RACE_FREE(racy); }

TEST(Closures, OnlyTheSecondIsRacy) {
  EXPECT_RACE_FREE(clean);
  EXPECT_RACE_FREE(racy);
}

TEST(Closures, RunInAProcessOfTheirOwn) {
  EXPECT_RACE_FREE([] { ++runs; });
  EXPECT_EQ(runs, 0);
}

}  // namespace
