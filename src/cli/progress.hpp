// One line on a terminal that says how far a search is, written again and again; nothing elsewhere.
#pragma once

#include <chrono>
#include <cstdint>

#include "explore/state_space.hpp"

namespace anyorder::cli {

class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  // May be called as often as one likes.
  void show(const exploring::StateSpace& states);
  // The line is empty again.
  void clear();
  [[nodiscard]] bool is_shown() const { return on_terminal_; }

 private:
  using Clock = std::chrono::steady_clock;

  bool on_terminal_;
  bool written_ = false;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point last_ = begun_;
};

}  // namespace anyorder::cli
