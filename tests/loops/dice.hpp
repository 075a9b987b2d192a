// Random choices that follow from a seed, on every platform alike.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace anyorder::loops {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool percent(int n) { return below(100) < n; }
  template <class T, std::size_t N>
  const T& one_of(const std::array<T, N>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(N)))];
  }
  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace anyorder::loops
