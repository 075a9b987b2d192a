// What an exploration has to come to: the verdict, and exactly how many orders and states.
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <ostream>

#include <anyorder/explore.hpp>

namespace explore_tests {

namespace ao = anyorder;

struct Extent {
  std::uint64_t orders;
  std::uint64_t states;
  friend bool operator==(const Extent&, const Extent&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Extent& extent) {
    return out << extent.orders << " orders, " << extent.states << " states";
  }
};

// How many orders and states there have to be. A run begins with a choice that no run has made, and goes on
// with the first choice in each state that is new. So there are as many runs as choices, less the new states,
// plus the one with which the first run begins. States in which all tasks stand are counted, and one more for
// the end.

inline Extent extent(std::uint64_t states, std::uint64_t choices) {
  return {choices - states + 1, states + 1};
}

// The verdict, with the exact number of orders and states that it takes; what was refuted is refuted again by
// a replay.
template <class F>
ao::exploration expect(ao::exploration::verdict wanted, Extent extent, F program) {
  const ao::exploration result = ao::explore(program);
  EXPECT_EQ(static_cast<int>(result.answer), static_cast<int>(wanted)) << result.text;
  EXPECT_EQ((Extent{result.orders, result.states}), extent) << result.text;
  if (wanted == ao::exploration::verdict::race || wanted == ao::exploration::verdict::deadlock) {
    const ao::exploration again = ao::replay(result.schedule, program);
    EXPECT_EQ(static_cast<int>(again.answer), static_cast<int>(wanted)) << again.text;
    EXPECT_EQ(again.orders, 1U);
  }
  return result;
}

}  // namespace explore_tests
