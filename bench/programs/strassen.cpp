// Strassen's matrix product: seven futures for the products of each level, and four tasks for the quadrants
// of the result, which get the products that they need. Down to 32 × 32.
//
// This is the one shape that has the counts of Surendran and Sarkar's table: 11 tasks and 12 non-tree joins
// for each of 2801 nodes at 1024 × 1024.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "measured.hpp"
#include "verification.hpp"

namespace ao = anyorder;

namespace {

constexpr std::size_t kCutoff = 32;

// A square part of a matrix by rows.
template <class T>
struct Part {
  T* first;
  std::size_t n;
  std::size_t stride;  // from row to row

  // 0: upper left, 1: upper right, 2: lower left, 3: lower right.
  [[nodiscard]] Part quadrant(std::size_t which) const {
    const std::size_t half = n / 2;
    return {first + (which / 2) * half * stride + (which % 2) * half, half, stride};
  }
  [[nodiscard]] T* row(std::size_t i) const { return first + i * stride; }
};

class Matrix {
 public:
  explicit Matrix(std::size_t n) : n_(n), values_(n * n) {}
  [[nodiscard]] Part<const double> read() const { return {values_.data(), n_, n_}; }
  [[nodiscard]] Part<double> write() { return {values_.data(), n_, n_}; }
  [[nodiscard]] std::vector<double>& values() { return values_; }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  std::size_t n_;
  std::vector<double> values_;
};

void multiply_by_definition(Part<const double> a, Part<const double> b, Part<double> product) {
  for (std::size_t i = 0; i < a.n; ++i) {
    for (std::size_t j = 0; j < a.n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < a.n; ++k) sum += a.row(i)[k] * b.row(k)[j];
      product.row(i)[j] = sum;
    }
  }
}

// A factor: one quadrant, or the sum or difference of two.
struct Factor {
  std::size_t first;
  std::size_t second;
  double sign;  // of the second; 0: there is none
};
struct Product {
  Factor a;
  Factor b;
};
constexpr std::size_t kProducts = 7;
constexpr Product kProduct[kProducts] = {
    {{0, 3, 1}, {0, 3, 1}}, {{2, 3, 1}, {0, 0, 0}},  {{0, 0, 0}, {1, 3, -1}}, {{3, 0, 0}, {2, 0, -1}},
    {{0, 1, 1}, {3, 0, 0}}, {{2, 0, -1}, {0, 1, 1}}, {{1, 3, -1}, {2, 3, 1}},
};

struct Term {
  std::size_t product;
  double sign;
};
constexpr std::size_t kQuadrants = 4;
constexpr Term kUpperLeft[] = {{0, 1}, {3, 1}, {4, -1}, {6, 1}};
constexpr Term kUpperRight[] = {{2, 1}, {4, 1}};
constexpr Term kLowerLeft[] = {{1, 1}, {3, 1}};
constexpr Term kLowerRight[] = {{0, 1}, {1, -1}, {2, 1}, {5, 1}};
constexpr std::span<const Term> kQuadrant[kQuadrants] = {kUpperLeft, kUpperRight, kLowerLeft, kLowerRight};

// One level of the recursion: the steps of a product of two matrices. A quadrant of the result may be
// computed when the products in its terms have been.
class Level {
 public:
  Level(Part<const double> a, Part<const double> b, Part<double> result)
      : a_(a), b_(b), result_(result), products_(kProducts, Matrix(a.n / 2)) {}

  // `multiply(a, b, product)` is the recursion.
  template <class Multiply>
  void compute_product(std::size_t which, const Multiply& multiply) {
    const Matrix a = sum_of(a_, kProduct[which].a);
    const Matrix b = sum_of(b_, kProduct[which].b);
    multiply(part_of(a_, kProduct[which].a, a), part_of(b_, kProduct[which].b, b), products_[which].write());
  }
  void compute_quadrant(std::size_t which) {
    const Part<double> to = result_.quadrant(which);
    for (std::size_t i = 0; i < to.n; ++i) {
      for (std::size_t j = 0; j < to.n; ++j) {
        double sum = 0;
        for (const Term& term : kQuadrant[which]) sum += term.sign * products_[term.product].read().row(i)[j];
        to.row(i)[j] = sum;
      }
    }
  }

 private:
  // Empty if the factor is a quadrant as it is.
  static Matrix sum_of(Part<const double> of, const Factor& factor) {
    if (factor.sign == 0) return Matrix(0);
    Matrix sum(of.n / 2);
    const Part<const double> first = of.quadrant(factor.first);
    const Part<const double> second = of.quadrant(factor.second);
    const Part<double> to = sum.write();
    for (std::size_t i = 0; i < to.n; ++i) {
      for (std::size_t j = 0; j < to.n; ++j) to.row(i)[j] = first.row(i)[j] + factor.sign * second.row(i)[j];
    }
    return sum;
  }
  static Part<const double> part_of(Part<const double> of, const Factor& factor, const Matrix& sum) {
    return factor.sign == 0 ? of.quadrant(factor.first) : sum.read();
  }

  Part<const double> a_;
  Part<const double> b_;
  Part<double> result_;
  std::vector<Matrix> products_;
};

void multiply_serially(Part<const double> a, Part<const double> b, Part<double> result) {
  if (a.n <= kCutoff) return multiply_by_definition(a, b, result);
  Level level(a, b, result);
  for (std::size_t i = 0; i < kProducts; ++i) level.compute_product(i, multiply_serially);
  for (std::size_t i = 0; i < kQuadrants; ++i) level.compute_quadrant(i);
}

void multiply_in_tasks(Part<const double> a, Part<const double> b, Part<double> result) {
  if (a.n <= kCutoff) return multiply_by_definition(a, b, result);
  Level level(a, b, result);
  ao::finish([&level] {
    std::array<ao::future<void>, kProducts> products;
    for (std::size_t i = 0; i < kProducts; ++i) {
      products[i] = ao::async_future([&level, i] { level.compute_product(i, multiply_in_tasks); });
    }
    for (std::size_t i = 0; i < kQuadrants; ++i) {
      ao::async([&level, i, products] {
        for (const Term& term : kQuadrant[i]) products[term.product].get();
        level.compute_quadrant(i);
      });
    }
  });
}

// Small whole numbers: all sums are exact, whatever their order.
Matrix matrix_of(std::size_t n, std::size_t seed) {
  Matrix matrix(n);
  std::size_t i = seed;
  for (double& value : matrix.values()) value = static_cast<double>(i++ * 7 % 11);
  return matrix;
}

// By Freivalds: whether (a b) x = a (b x), for one x. The serial version is checked by this, too.
ANYORDER_BENCH_UNCHECKED bool is_product(const Matrix& a, const Matrix& b, const Matrix& product,
                                         std::size_t n) {
  const double* const of_a = a.values().data();
  const double* const of_b = b.values().data();
  const double* const of_product = product.values().data();
  const auto x = [](std::size_t i) { return static_cast<double>(i * i % 13) - 6; };
  auto* const b_x = new double[n]();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) b_x[i] += of_b[i * n + j] * x(j);
  }
  bool same = true;
  for (std::size_t i = 0; i < n; ++i) {
    double expected = 0;
    double found = 0;
    for (std::size_t j = 0; j < n; ++j) {
      expected += of_a[i * n + j] * b_x[j];
      found += of_product[i * n + j] * x(j);
    }
    same = same && expected == found;
  }
  delete[] b_x;
  return same;
}

std::uint64_t expected_fingerprint(const Matrix& a, const Matrix& b, std::size_t n) {
  Matrix product(n);
  multiply_serially(a.read(), b.read(), product.write());
  return bench::fingerprint(product.values());
}

}  // namespace

int main(int argc, char** argv) {
  constexpr bench::SizeRange kSizes{"number of rows, a power of two", 1, 8192};
  const bench::Arguments given = bench::arguments(argc, argv, kSizes);
  const auto n = static_cast<std::size_t>(given.size);
  if ((n & (n - 1)) != 0) bench::end_with_usage(argv[0], "<size> [serial]", kSizes);
  const Matrix a = matrix_of(n, 1);
  const Matrix b = matrix_of(n, 5);
  const std::uint64_t expected = expected_fingerprint(a, b, n);
  Matrix product(n);
  return bench::measure(
      "strassen", given.size,
      [&] {
        if (given.version == bench::Version::serial) {
          multiply_serially(a.read(), b.read(), product.write());
        } else {
          multiply_in_tasks(a.read(), b.read(), product.write());
        }
      },
      [&] { return bench::fingerprint(product.values()) == expected && is_product(a, b, product, n); });
}
