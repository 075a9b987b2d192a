// LU factorisation with partial pivoting, and the solution of one system by it, as the Java Grande benchmark
// LUFact (Linpack) has them: for each column a forall over the columns to the right of it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "elision.hpp"
#include "verification.hpp"

namespace {

class LinearSystem {
 public:
  explicit LinearSystem(long size)
      : n_(static_cast<std::size_t>(size)), values_(n_ * n_), pivots_(n_), right_side_(n_) {
    // Not Linpack's own generator: its numbers come again after 16,384, and for some sizes columns do.
    std::mt19937 random(1325);
    for (double& value : values_) value = static_cast<double>(random()) / 2147483648.0 - 1;
    for (std::size_t j = 0; j < n_; ++j) {
      for (std::size_t i = 0; i < n_; ++i) right_side_[i] += column(j)[i];  // so that all unknowns are 1
    }
  }

  template <class Tasks>
  void solve() {
    for (std::size_t k = 0; k + 1 < n_; ++k) {
      double* const pivot_column = column(k);
      const std::size_t pivot = row_of_largest(pivot_column, k);
      pivots_[k] = pivot;
      std::swap(pivot_column[pivot], pivot_column[k]);
      const double factor = -1 / pivot_column[k];
      for (std::size_t i = k + 1; i < n_; ++i) pivot_column[i] *= factor;
      Tasks::forall(k + 1, n_, [this, k, pivot](std::size_t j) { eliminate(k, pivot, j); });
    }
    pivots_[n_ - 1] = n_ - 1;
    substitute();
  }

  [[nodiscard]] std::uint64_t fingerprint() const {
    return bench::fingerprint(values_) ^ (bench::fingerprint(right_side_) * 3);
  }

  ANYORDER_BENCH_UNCHECKED bool is_plausible() const {
    const double* const unknowns = right_side_.data();
    for (std::size_t i = 0; i < n_; ++i) {
      if (!(std::abs(unknowns[i] - 1) < 1e-6)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] double* column(std::size_t j) { return values_.data() + j * n_; }

  [[nodiscard]] std::size_t row_of_largest(const double* of, std::size_t from) const {
    std::size_t found = from;
    for (std::size_t i = from + 1; i < n_; ++i) {
      if (std::abs(of[i]) > std::abs(of[found])) found = i;
    }
    return found;
  }

  // Column j, by the multipliers in column k.
  void eliminate(std::size_t k, std::size_t pivot, std::size_t j) {
    const double* const multipliers = column(k);
    double* const to = column(j);
    const double factor = to[pivot];
    to[pivot] = to[k];
    to[k] = factor;
    for (std::size_t i = k + 1; i < n_; ++i) to[i] += factor * multipliers[i];
  }

  void substitute() {
    std::vector<double>& b = right_side_;
    for (std::size_t k = 0; k + 1 < n_; ++k) {
      std::swap(b[pivots_[k]], b[k]);
      for (std::size_t i = k + 1; i < n_; ++i) b[i] += b[k] * column(k)[i];
    }
    for (std::size_t k = n_; k-- > 0;) {
      b[k] /= column(k)[k];
      for (std::size_t i = 0; i < k; ++i) b[i] -= b[k] * column(k)[i];
    }
  }

  std::size_t n_;
  std::vector<double> values_;  // by columns; in the end the factors
  std::vector<std::size_t> pivots_;
  std::vector<double> right_side_;  // in the end the unknowns
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run<LinearSystem>("lufact", argc, argv, {"number of unknowns", 1, 8192});
}
