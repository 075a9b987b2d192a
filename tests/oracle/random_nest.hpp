// Random nests of parallel loops, as values: up to six levels, spans of 1 to 1,000, loops one after the
// other, up to 60, and in branches. A forall is a finish of as many asyncs as it has indexes.
#pragma once

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "program.hpp"

namespace anyorder::detect {

class RandomNest {
 public:
  explicit RandomNest(unsigned seed) : random_(seed) {
    const bool large = one_in(100);
    tasks_ = large ? 1200 : one_in(8) ? 120 : 30;
    bytes_ = 1 + below(one_in(2) ? 4 : 200);
    // In a large one with many races, the oracle names them all.
    reads_per_write_ = large ? 100 : 1 << below(6);
    if (!large && one_in(10)) {
      many_in_a_row_ = true;
      tasks_ = 400;
    }
  }

  Program make() { return body(0, 0); }

 private:
  static constexpr int kLevels = 6;
  static constexpr int kMostBytes = 0xf00;

  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  bool one_in(int count) { return below(count) == 0; }

  // Of one iteration, whose index decides what it accesses.
  Program body(int level, int index) {
    Program program;
    const int most = many_in_a_row_ && level == 1 ? 60 : level == 0 ? 4 : 3;
    for (int parts = 1 + below(most); parts > 0; --parts) {
      if (level < kLevels && tasks_ > 0 && !one_in(3)) {
        program.push_back(forall(level));
      } else {
        program.push_back(access(index));
      }
    }
    return program;
  }
  Statement forall(int level) {
    static constexpr int kSpans[] = {1, 2, 2, 3, 4, 6, 10, 30, 200, 1000};
    const int spans = many_in_a_row_ ? 5 : tasks_ > 500 ? 10 : tasks_ > 60 ? 8 : 6;
    const int span = std::min(kSpans[below(spans)], tasks_);
    tasks_ -= span;
    // All iterations do the same but for their indexes, and for a branch that some of them take.
    const int pattern = static_cast<int>(random_());
    const int every = 1 + below(4);
    const bool same = !one_in(3) && !(many_in_a_row_ && level == 0);
    Program tasks;
    for (int i = 0; i != span; ++i) {
      if (same) {
        Program own;
        std::mt19937 before = std::exchange(random_, std::mt19937(static_cast<unsigned>(pattern)));
        for (int accesses = 1 + below(3); accesses > 0; --accesses) own.push_back(access(i));
        random_ = before;
        if (level + 1 < kLevels && i % every == 0 && tasks_ > 0 && one_in(2))
          own.push_back(forall(level + 1));
        tasks.push_back(async(std::move(own)));
      } else {
        tasks.push_back(async(body(level + 1, i)));
      }
    }
    return finish(std::move(tasks));
  }
  Statement access(int index) {
    const int at = below(bytes_);
    const int size = 1 << below(4);
    const int stride = one_in(3) ? 0 : size;
    const int byte = std::min(at + index * stride, kMostBytes) / size * size;
    return one_in(reads_per_write_ + 1) ? write(byte, size) : read(byte, size);
  }

  std::mt19937 random_;  // the same numbers everywhere, unlike the standard distributions
  int tasks_ = 0;
  int bytes_ = 1;
  int reads_per_write_ = 1;
  bool many_in_a_row_ = false;
};

}  // namespace anyorder::detect
