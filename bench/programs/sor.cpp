// Successive over-relaxation on a square grid, 100 iterations, as the Java Grande benchmark SOR has it: a
// forall over the odd rows, then one over the even ones, which read only rows of the other kind and their
// own.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "elision.hpp"
#include "verification.hpp"

namespace {

constexpr int kIterations = 100;
constexpr double kOmega = 1.25;

class Grid {
 public:
  explicit Grid(long size) : n_(static_cast<std::size_t>(size)), values_(n_ * n_) {
    std::mt19937 random(10101010);
    for (double& value : values_) value = static_cast<double>(random()) * 1e-15;
    residual_at_first_ = residual();
  }

  template <class Tasks>
  void solve() {
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      for (std::size_t first = 1; first <= 2; ++first) {
        const std::size_t rows = first + 1 < n_ ? (n_ - first) / 2 : 0;  // within the border
        Tasks::forall(std::size_t{0}, rows, [this, first](std::size_t i) { relax_row(first + 2 * i); });
      }
    }
  }

  [[nodiscard]] std::uint64_t fingerprint() const { return bench::fingerprint(values_); }
  [[nodiscard]] bool is_plausible() const { return residual() < residual_at_first_ / 10; }

 private:
  void relax_row(std::size_t i) {
    constexpr double kOmegaOverFour = kOmega / 4;
    const double* const above = values_.data() + (i - 1) * n_;
    double* const row = values_.data() + i * n_;
    const double* const below = values_.data() + (i + 1) * n_;
    for (std::size_t j = 1; j + 1 < n_; ++j) {
      row[j] = kOmegaOverFour * (above[j] + below[j] + row[j - 1] + row[j + 1]) + (1 - kOmega) * row[j];
    }
  }

  // How far the values are from the means of their neighbours, all together.
  ANYORDER_BENCH_UNCHECKED double residual() const {
    const double* const at = values_.data();
    double sum = 0;
    for (std::size_t i = 1; i + 1 < n_; ++i) {
      for (std::size_t j = 1; j + 1 < n_; ++j) {
        const std::size_t here = i * n_ + j;
        sum += std::abs((at[here - n_] + at[here + n_] + at[here - 1] + at[here + 1]) / 4 - at[here]);
      }
    }
    return sum;
  }

  std::size_t n_;
  std::vector<double> values_;  // by rows
  double residual_at_first_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::run<Grid>("sor", argc, argv, {"number of rows", 3, 16384}); }
