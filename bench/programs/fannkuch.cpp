// Fannkuch of the Computer Language Benchmarks Game: for each permutation of n numbers, how often its
// beginning is reversed until a 1 is in front. A task for 120 permutations, which follow each other.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "elision.hpp"
#include "verification.hpp"

namespace {

constexpr std::size_t kMost = 12;
constexpr std::size_t kPerTask =
    120;  // even, so that each task begins with a permutation that counts as plus

struct Flips {
  std::int32_t most = 0;
  std::int32_t checksum = 0;  // of an even permutation plus, of an odd one minus
};

constexpr std::size_t kFewest = 5;
// By n - kFewest, as the game has them.
constexpr std::array<Flips, kMost - kFewest + 1> kKnown{
    {{7, 11}, {10, 49}, {16, 228}, {22, 1616}, {30, 8629}, {38, 73196}, {51, 556355}, {65, 3968050}}};

std::size_t factorial(std::size_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

// All permutations, in the order of the game.
class Permutation {
 public:
  Permutation(std::size_t n, std::size_t index) {
    for (std::size_t i = 0; i < n; ++i) numbers_[i] = static_cast<std::int8_t>(i);
    for (std::size_t i = n - 1; i > 0; --i) {
      const std::size_t turns = index / factorial(i);
      index %= factorial(i);
      turned_[i] = static_cast<std::int8_t>(turns);
      std::rotate(numbers_.begin(), numbers_.begin() + static_cast<std::ptrdiff_t>(turns),
                  numbers_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }

  void step(std::size_t n) {
    for (std::size_t i = 1; i < n; ++i) {
      const std::int8_t first = numbers_[0];
      for (std::size_t k = 0; k < i; ++k) numbers_[k] = numbers_[k + 1];
      numbers_[i] = first;
      if (++turned_[i] <= static_cast<std::int8_t>(i)) return;
      turned_[i] = 0;
    }
  }

  [[nodiscard]] std::int32_t flips() const {
    std::array<std::int8_t, kMost> numbers = numbers_;
    std::int32_t flips = 0;
    while (numbers[0] != 0) {
      std::reverse(numbers.begin(), numbers.begin() + numbers[0] + 1);
      ++flips;
    }
    return flips;
  }

 private:
  std::array<std::int8_t, kMost> numbers_{};
  std::array<std::int8_t, kMost> turned_{};  // how often the first i + 1 were
};

class Fannkuch {
 public:
  explicit Fannkuch(long size) : n_(static_cast<std::size_t>(size)), of_tasks_(factorial(n_) / kPerTask) {}

  template <class Tasks>
  void solve() {
    Tasks::forall(std::size_t{0}, of_tasks_.size(), [this](std::size_t task) { count(task); });
    for (const Flips& flips : of_tasks_) {
      all_.most = std::max(all_.most, flips.most);
      all_.checksum += flips.checksum;
    }
  }

  [[nodiscard]] std::uint64_t fingerprint() const { return bench::fingerprint(of_tasks_); }
  [[nodiscard]] bool is_plausible() const {
    const Flips& known = kKnown[n_ - kFewest];
    return all_.most == known.most && all_.checksum == known.checksum;
  }

 private:
  void count(std::size_t task) {
    Permutation permutation(n_, task * kPerTask);
    Flips found;
    for (std::size_t i = 0; i < kPerTask; ++i) {
      const std::int32_t flips = permutation.flips();
      found.most = std::max(found.most, flips);
      found.checksum += i % 2 == 0 ? flips : -flips;
      permutation.step(n_);
    }
    of_tasks_[task] = found;
  }

  std::size_t n_;
  std::vector<Flips> of_tasks_;
  Flips all_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run<Fannkuch>("fannkuch", argc, argv, {"number of numbers", kFewest, kMost});
}
