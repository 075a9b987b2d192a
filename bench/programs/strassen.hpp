// The work of strassen and strassen_finish: Strassen's matrix product, down to 32 × 32. Each level has seven
// products, and four quadrants of the result that are sums of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "measured.hpp"
#include "verification.hpp"

namespace bench::strassen {

// Rows of what is multiplied by definition; 128 of 4096 in the known joins paper. Set before the work.
inline std::size_t cutoff = 32;
constexpr std::size_t paper_cutoff_of(std::size_t n) { return n < 32 ? 1 : n / 32; }

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

inline void multiply_by_definition(Part<const double> a, Part<const double> b, Part<double> product) {
  for (std::size_t i = 0; i < a.n; ++i) {
    for (std::size_t j = 0; j < a.n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < a.n; ++k) sum += a.row(i)[k] * b.row(k)[j];
      product.row(i)[j] = sum;
    }
  }
}

template <class Combine>
Matrix combined(Part<const double> a, Part<const double> b, const Combine& combine) {
  Matrix result(a.n);
  const Part<double> to = result.write();
  for (std::size_t i = 0; i < a.n; ++i) {
    for (std::size_t j = 0; j < a.n; ++j) to.row(i)[j] = combine(a.row(i)[j], b.row(i)[j]);
  }
  return result;
}

inline Matrix sum(Part<const double> a, Part<const double> b) {
  return combined(a, b, [](double x, double y) { return x + y; });
}

inline Matrix difference(Part<const double> a, Part<const double> b) {
  return combined(a, b, [](double x, double y) { return x - y; });
}

constexpr std::size_t kProducts = 7;
constexpr std::size_t kQuadrants = 4;

// One level of the recursion: the steps of a product of two matrices. The comment at a quadrant of the result
// says which products have to be there before it is computed.
class Level {
 public:
  Level(Part<const double> a, Part<const double> b, Part<double> result)
      : a_(a), b_(b), result_(result), products_(kProducts, Matrix(a.n / 2)) {}

  // `multiply(a, b, product)` is the recursion.
  template <class Multiply>
  void compute_product(std::size_t which, const Multiply& multiply) {
    const auto a = [this](std::size_t quadrant) { return a_.quadrant(quadrant); };
    const auto b = [this](std::size_t quadrant) { return b_.quadrant(quadrant); };
    const Part<double> to = products_[which].write();
    switch (which) {
      case 0:
        return multiply(sum(a(0), a(3)).read(), sum(b(0), b(3)).read(), to);
      case 1:
        return multiply(sum(a(2), a(3)).read(), b(0), to);
      case 2:
        return multiply(a(0), difference(b(1), b(3)).read(), to);
      case 3:
        return multiply(a(3), difference(b(2), b(0)).read(), to);
      case 4:
        return multiply(sum(a(0), a(1)).read(), b(3), to);
      case 5:
        return multiply(difference(a(2), a(0)).read(), sum(b(0), b(1)).read(), to);
      default:
        return multiply(difference(a(1), a(3)).read(), sum(b(2), b(3)).read(), to);
    }
  }
  void compute_quadrant(std::size_t which) {
    switch (which) {
      case 0:  // 0, 3, 4, 6
        return fill(0, [this](std::size_t at) { return of(0)[at] + of(3)[at] - of(4)[at] + of(6)[at]; });
      case 1:  // 2, 4
        return fill(1, [this](std::size_t at) { return of(2)[at] + of(4)[at]; });
      case 2:  // 1, 3
        return fill(2, [this](std::size_t at) { return of(1)[at] + of(3)[at]; });
      default:  // 0, 1, 2, 5
        return fill(3, [this](std::size_t at) { return of(0)[at] - of(1)[at] + of(2)[at] + of(5)[at]; });
    }
  }

 private:
  [[nodiscard]] const double* of(std::size_t product) const { return products_[product].read().first; }

  template <class ValueAt>
  void fill(std::size_t quadrant, const ValueAt& value_at) {
    const Part<double> to = result_.quadrant(quadrant);
    for (std::size_t i = 0; i < to.n; ++i) {
      for (std::size_t j = 0; j < to.n; ++j) to.row(i)[j] = value_at(i * to.n + j);
    }
  }

  Part<const double> a_;
  Part<const double> b_;
  Part<double> result_;
  std::vector<Matrix> products_;
};

inline void multiply_serially(Part<const double> a, Part<const double> b, Part<double> result) {
  if (a.n <= cutoff) return multiply_by_definition(a, b, result);
  Level level(a, b, result);
  for (std::size_t i = 0; i < kProducts; ++i) level.compute_product(i, multiply_serially);
  for (std::size_t i = 0; i < kQuadrants; ++i) level.compute_quadrant(i);
}

// Small whole numbers: all sums are exact, whatever their order.
inline Matrix matrix_of(std::size_t n, std::size_t seed) {
  Matrix matrix(n);
  std::size_t i = seed;
  for (double& value : matrix.values()) value = static_cast<double>(i++ * 7 % 11);
  return matrix;
}

// By Freivalds: whether (a b) x = a (b x), for one x. The serial version is checked by this, too.
ANYORDER_BENCH_UNCHECKED inline bool is_product(const Matrix& a, const Matrix& b, const Matrix& product,
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

inline std::uint64_t expected_fingerprint(const Matrix& a, const Matrix& b, std::size_t n) {
  Matrix product(n);
  multiply_serially(a.read(), b.read(), product.write());
  return fingerprint(product.values());
}

// The main function: `multiply_in_tasks`, as multiply_serially, is what the versions differ in.
template <class Multiply, class ByFutures>
int run(const char* name, int argc, char** argv, const Multiply& multiply_in_tasks,
        const ByFutures& multiply_by_futures) {
  constexpr SizeRange kSizes{"number of rows, a power of two", 1, 8192};
  const Arguments given = arguments(argc, argv, kSizes);
  const auto n = static_cast<std::size_t>(given.size);
  if ((n & (n - 1)) != 0) end_with_usage(argv[0], "<size> [serial]", kSizes);
  if (given.version == Version::futures) cutoff = paper_cutoff_of(n);
  const Matrix a = matrix_of(n, 1);
  const Matrix b = matrix_of(n, 5);
  const std::uint64_t expected = expected_fingerprint(a, b, n);
  Matrix product(n);
  return measure(
      name, given.size,
      [&] {
        if (given.version == Version::serial) {
          multiply_serially(a.read(), b.read(), product.write());
        } else if (given.version == Version::futures) {
          multiply_by_futures(a.read(), b.read(), product.write());
        } else {
          multiply_in_tasks(a.read(), b.read(), product.write());
        }
      },
      [&] { return fingerprint(product.values()) == expected && is_product(a, b, product, n); });
}

template <class Multiply>
int run(const char* name, int argc, char** argv, const Multiply& multiply_in_tasks) {
  return run(name, argc, argv, multiply_in_tasks, multiply_in_tasks);
}

}  // namespace bench::strassen
