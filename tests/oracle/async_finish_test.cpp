// Every detector that accepts async and finish, and the oracle, hear the same events of programs that have
// nothing else, and name the same bytes.
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "detect/graph/graph.hpp"
#include "detect/registered.hpp"
#include "name_of.hpp"
#include "quickly_driven.hpp"
#include "racy_bytes.hpp"
#include "random_program.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect {
namespace {

// The detectors that are compared with the oracle.
template <class Detector>
inline constexpr bool kIsCompared = !std::is_same_v<Detector, graph::Graph> &&
                                    Detector::kTraits.accepts.contains(events::Construct::async_finish);

template <class Detector>
using IfCompared = std::conditional_t<kIsCompared<Detector>, std::tuple<Detector>, std::tuple<>>;
template <class All>
struct TypesOf;
template <class... All>
struct TypesOf<std::tuple<All...>> {
  using Types = testing::Types<All...>;
};
#define ANYORDER_IF_COMPARED(name, type) , std::declval<IfCompared<type>>()
using DetectorsOfAsyncFinish =
    TypesOf<decltype(std::tuple_cat(std::tuple<>() ANYORDER_FOR_EACH_DETECTOR(ANYORDER_IF_COMPARED)))>::Types;
#undef ANYORDER_IF_COMPARED

template <class Detector>
class AsyncFinish : public testing::Test {
 protected:
  void SetUp() override {
    if (ANYORDER_TSAN) GTEST_SKIP() << "ThreadSanitizer leaves no room for the shadow of a process";
  }

  void compare(Shape shape, unsigned otherwise) {
    shape.futures = false;
    const unsigned programs = programs_of_each_shape(otherwise);
    unsigned racy = 0;
    for (unsigned seed = 0; seed < programs; ++seed) {
      const Program program = RandomProgram(seed, shape).make();
      const Bytes expected = racy_bytes<graph::Graph>(program);
      ASSERT_EQ(racy_bytes<Detector>(program), expected) << "seed " << seed << ": " << to_string(program);
      if constexpr (events::QuickDetector<Detector>) {
        ASSERT_EQ(racy_bytes<QuicklyDriven<Detector>>(program), expected)
            << "seed " << seed << ", by hooks: " << to_string(program);
      }
      racy += expected.empty() ? 0 : 1;
    }
    this->RecordProperty("racy", static_cast<int>(racy));
    expect_both_answers(racy, programs);
  }
};
TYPED_TEST_SUITE(AsyncFinish, DetectorsOfAsyncFinish, NameOf);

TYPED_TEST(AsyncFinish, Tiny) { this->compare({.statements = 8, .depth = 3, .bytes = 1}, 6000); }
TYPED_TEST(AsyncFinish, Small) { this->compare({.statements = 14, .depth = 4, .bytes = 2}, 6000); }
TYPED_TEST(AsyncFinish, Larger) { this->compare({.statements = 40, .depth = 6, .bytes = 6}, 3000); }
TYPED_TEST(AsyncFinish, Large) { this->compare({.statements = 200, .depth = 8, .bytes = 400}, 1000); }
TYPED_TEST(AsyncFinish, Wide) {
  this->compare({.statements = 30, .depth = 4, .bytes = 200, .wide = true}, 3000);
}
TYPED_TEST(AsyncFinish, InARow) {
  this->compare({.statements = 30, .depth = 4, .bytes = 72, .wide = true, .in_a_row = 12}, 4000);
}
TYPED_TEST(AsyncFinish, Loops) {
  this->compare({.statements = 24,
                 .depth = 4,
                 .bytes = 300,
                 .wide = true,
                 .in_a_row = 8,
                 .rare_writes = 3,
                 .loops = true},
                3000);
}
// Many in one memory, so that they overlap, and few tasks, so that not all is racy.
TYPED_TEST(AsyncFinish, Ranges) {
  this->compare({.statements = 20,
                 .depth = 4,
                 .bytes = 400,
                 .wide = true,
                 .in_a_row = 4,
                 .rare_writes = 3,
                 .ranges = true},
                2000);
}

}  // namespace
}  // namespace anyorder::detect
