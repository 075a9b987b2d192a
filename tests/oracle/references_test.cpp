// Detectors and the oracle hear the same events of programs that drop references and destroy objects, and
// name the same bytes.
//
// Serial detectors know tasks and no times: of a task that drops a reference, or has one inside it that does,
// also what it does later counts as before the drop. So for them each access is made by a task of its own,
// which is waited for at once; and with the accesses where they are, they name no byte that is not racy. What
// keeps one reader may keep one that a destruction comes after, and not one that it races with: so there all
// accesses are writes.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>

#include "detect/dtrg/dtrg.hpp"
#include "detect/esp_bags/esp_bags.hpp"
#include "detect/graph/graph.hpp"
#include "name_of.hpp"
#include "quickly_driven.hpp"
#include "racy_bytes.hpp"
#include "random_program.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect {
namespace {

Program with_accesses_in_tasks(const Program& program, bool all_write) {
  Program changed;
  for (Statement statement : program) {
    statement.body = with_accesses_in_tasks(statement.body, all_write);
    if (all_write && statement.op == Op::read) statement.op = Op::write;
    const bool is_access =
        statement.op == Op::read || statement.op == Op::write || statement.op == Op::destroy;
    changed.push_back(is_access ? finish({async({std::move(statement)})}) : std::move(statement));
  }
  return changed;
}

// The same program with no drops.
Program without_drops(const Program& program) {
  Program changed;
  for (Statement statement : program) {
    if (statement.op == Op::drop) continue;
    statement.body = without_drops(statement.body);
    changed.push_back(std::move(statement));
  }
  return changed;
}

template <class Detector>
class References : public testing::Test {
 protected:
  void SetUp() override {
    if (ANYORDER_TSAN) GTEST_SKIP() << "ThreadSanitizer leaves no room for the shadow of a process";
  }

  void compare(Shape shape, unsigned otherwise) {
    const bool keeps_readers = Detector::kTraits.accepts.contains(events::Construct::futures);
    shape.futures = shape.futures && keeps_readers;
    shape.bytes = shape.objects * kObjectBytes;
    const unsigned programs = programs_of_each_shape(otherwise);
    unsigned racy = 0;
    unsigned exempt = 0;
    for (unsigned seed = 0; seed < programs; ++seed) {
      const Program plain = RandomProgram(seed, shape).make();
      const Bytes upper = racy_bytes<graph::Graph>(plain);
      const Bytes lower = racy_bytes<Detector>(plain);
      ASSERT_TRUE(std::includes(upper.begin(), upper.end(), lower.begin(), lower.end()))
          << "seed " << seed << ": " << to_string(plain);

      const Program program = with_accesses_in_tasks(plain, !keeps_readers);
      const Bytes expected = racy_bytes<graph::Graph>(program);
      ASSERT_EQ(racy_bytes<Detector>(program), expected) << "seed " << seed << ": " << to_string(program);
      ASSERT_EQ(racy_bytes<QuicklyDriven<Detector>>(program), expected)
          << "seed " << seed << ", by hooks: " << to_string(program);
      racy += expected.empty() ? 0 : 1;
      exempt += racy_bytes<graph::Graph>(without_drops(program)) == expected ? 0 : 1;
    }
    this->RecordProperty("racy", static_cast<int>(racy));
    this->RecordProperty("exempt", static_cast<int>(exempt));
    // Races are found, and the drops decide on some.
    if (kFewPrograms) return;
    EXPECT_GT(racy, programs / 20);
    EXPECT_GT(exempt, programs / 100);
  }
};
using DetectorsWithReferences = testing::Types<dtrg::Dtrg, esp_bags::EspBags>;
TYPED_TEST_SUITE(References, DetectorsWithReferences, NameOf);

TYPED_TEST(References, Tiny) { this->compare({.statements = 10, .depth = 3, .objects = 1}, 4000); }
TYPED_TEST(References, Small) { this->compare({.statements = 20, .depth = 5, .objects = 2}, 4000); }
TYPED_TEST(References, WithoutFutures) {
  this->compare({.statements = 14, .depth = 4, .futures = false, .objects = 1}, 6000);
}
TYPED_TEST(References, Larger) { this->compare({.statements = 50, .depth = 7, .objects = 5}, 2000); }
TYPED_TEST(References, Large) { this->compare({.statements = 200, .depth = 8, .objects = 60}, 300); }

}  // namespace
}  // namespace anyorder::detect
