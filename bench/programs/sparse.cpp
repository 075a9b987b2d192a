// A sparse matrix times a vector, as the Java Grande benchmark Sparse has it: five values per row on average,
// and 200 products that are summed up. A task per row, which makes all 200, as the original's threads do.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "elision.hpp"
#include "verification.hpp"

namespace {

constexpr int kProducts = 200;
constexpr std::size_t kValuesPerRow = 5;

class Product {
 public:
  explicit Product(long size)
      : rows_(static_cast<std::size_t>(size)),
        first_(rows_ + 1),
        columns_(rows_ * kValuesPerRow),
        values_(columns_.size()),
        factor_(rows_),
        sums_(rows_) {
    std::mt19937 random(10101010);
    const auto number = [&random] { return static_cast<double>(random()) * 1e-10; };
    for (std::size_t i = 0; i < values_.size(); ++i) ++first_[random() % rows_ + 1];
    for (std::size_t row = 0; row < rows_; ++row) first_[row + 1] += first_[row];
    for (std::size_t& column : columns_) column = random() % rows_;
    for (double& value : values_) value = number();
    for (double& value : factor_) value = number();
  }

  template <class Tasks>
  void solve() {
    Tasks::forall(std::size_t{0}, rows_, [this](std::size_t row) { add_products(row); });
  }

  [[nodiscard]] std::uint64_t fingerprint() const { return bench::fingerprint(sums_); }

  ANYORDER_BENCH_UNCHECKED bool is_plausible() const {
    for (std::size_t row = 0; row < rows_; ++row) {
      double once = 0;
      for (std::size_t i = first_.data()[row]; i < first_.data()[row + 1]; ++i) {
        once += values_.data()[i] * factor_.data()[columns_.data()[i]];
      }
      if (!(std::abs(sums_.data()[row] - kProducts * once) <= 1e-9 * kProducts * once)) return false;
    }
    return true;
  }

 private:
  void add_products(std::size_t row) {
    const std::size_t begin = first_[row];
    const std::size_t end = first_[row + 1];
    for (int product = 0; product < kProducts; ++product) {
      for (std::size_t i = begin; i < end; ++i) sums_[row] += values_[i] * factor_[columns_[i]];
    }
  }

  std::size_t rows_;
  std::vector<std::size_t> first_;  // of a row among the values; the end of the row before
  std::vector<std::size_t> columns_;
  std::vector<double> values_;
  std::vector<double> factor_;
  std::vector<double> sums_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run<Product>("sparse", argc, argv, {"number of rows", 1, 1L << 24});
}
