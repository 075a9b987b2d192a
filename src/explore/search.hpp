// The search in one process: runs a program again and again, until the first race or deadlock, the proof that
// there is none, or a bound.
//
// Contract: for one thread. The program has to do the same whenever it gets the same answers from its guide.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

#include "explore/guide.hpp"
#include "explore/run.hpp"
#include "explore/schedule.hpp"
#include "explore/state_space.hpp"

namespace anyorder::exploring {

struct Bounds {
  std::uint64_t runs = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t depth = 100'000;  // sections in one run
  std::chrono::duration<double> time{std::numeric_limits<double>::infinity()};
};

class Search {
 public:
  explicit Search(Program& program, Reduction reduction = Reduction::persistent, Bounds bounds = {},
                  Omitted omitted = {})
      : program_(program), bounds_(bounds), run_(omitted), states_(reduction) {}

  [[nodiscard]] Result go();
  // Runs the program once, in that order of sections. Proved: this one has no race and no deadlock.
  [[nodiscard]] Result replay(Schedule schedule);

 private:
  // The bound that was reached; null: none.
  [[nodiscard]] const char* bound_reached() const;

  Program& program_;
  Bounds bounds_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  Run run_;
  StateSpace states_;
};

}  // namespace anyorder::exploring
