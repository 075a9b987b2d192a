// What matmul and matmul_elements share: matrices, and their product by definition.
#pragma once

#include <cstddef>
#include <vector>

#include "verification.hpp"

namespace bench::matmul {

using Matrix = std::vector<double>;  // n rows of n

// Small whole numbers: every sum is exact, whatever its order.
inline Matrix matrix_of(std::size_t n, std::size_t seed) {
  Matrix matrix(n * n);
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = static_cast<double>((i * 7 + seed) % 11);
  return matrix;
}

ANYORDER_BENCH_UNCHECKED inline Matrix multiply_by_definition(const Matrix& a, const Matrix& b,
                                                              std::size_t n) {
  Matrix product(n * n);
  const double* const of_a = a.data();
  const double* const of_b = b.data();
  double* const to = product.data();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) to[i * n + j] += of_a[i * n + k] * of_b[k * n + j];
    }
  }
  return product;
}

}  // namespace bench::matmul
