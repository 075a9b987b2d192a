// Places by their numbers, against a plain list.
#include "detect/history/creations.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace anyorder::detect::history {
namespace {

// More places than are remembered at a time, in any order: each has one number, which says what it was.
TEST(Creations, EachPlaceHasOneNumber) {
  std::vector<events::SourceSite> places;
  const std::array<const char*, 3> files{"a.cpp", "b.cpp", "c.cpp"};
  for (const char* const file : files) {
    for (std::uint32_t line = 1; line != 200; ++line) {
      places.push_back({file, "f", line});
      places.push_back({file, "g", line});  // as in another instance of a template
    }
  }
  Creations creations;
  std::vector<std::uint32_t> numbers(places.size(), ~std::uint32_t{0});
  std::uint32_t next = 0;
  std::mt19937 random(1);
  for (int i = 0; i != 20000; ++i) {
    const std::size_t at = random() % places.size();
    if (numbers[at] == ~std::uint32_t{0}) numbers[at] = next++;
    ASSERT_EQ(creations.id_of(places[at]), numbers[at]);
    const events::SourceSite& kept = creations[numbers[at]];
    ASSERT_EQ(kept.file, places[at].file);
    ASSERT_EQ(kept.function, places[at].function);
    ASSERT_EQ(kept.line, places[at].line);
  }
  EXPECT_EQ(next, places.size());
}

}  // namespace
}  // namespace anyorder::detect::history
