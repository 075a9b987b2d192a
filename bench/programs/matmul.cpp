// A matrix product in square blocks: a forall over the blocks of the result, many accesses per task.
#include "matmul.hpp"

#include <algorithm>
#include <cstddef>

#include "measured.hpp"
#include "verification.hpp"

namespace ao = anyorder;

namespace {

using bench::matmul::Matrix;

constexpr std::size_t kBlock = 16;

// The rows and columns of one block along one side of the matrix.
struct Band {
  Band(std::size_t block, std::size_t n) : begin(block * kBlock), end(std::min(begin + kBlock, n)) {}
  std::size_t begin;
  std::size_t end;
};

void add_block_product(const Matrix& a, const Matrix& b, Matrix& product, std::size_t n, Band rows,
                       Band columns, Band inner) {
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    for (std::size_t k = inner.begin; k < inner.end; ++k) {
      const double factor = a[i * n + k];
      for (std::size_t j = columns.begin; j < columns.end; ++j) product[i * n + j] += factor * b[k * n + j];
    }
  }
}

void multiply(const Matrix& a, const Matrix& b, Matrix& product, std::size_t n) {
  const std::size_t blocks = (n + kBlock - 1) / kBlock;
  ao::forall(std::size_t{0}, blocks * blocks, [&](std::size_t block) {
    const Band rows(block / blocks, n);
    const Band columns(block % blocks, n);
    for (std::size_t k = 0; k < blocks; ++k) add_block_product(a, b, product, n, rows, columns, Band(k, n));
  });
}

}  // namespace

int main(int argc, char** argv) {
  const long size = bench::size_argument(argc, argv, {"rows of the matrices", 1, 4096});
  const auto n = static_cast<std::size_t>(size);
  const Matrix a = bench::matmul::matrix_of(n, 1);
  const Matrix b = bench::matmul::matrix_of(n, 5);
  const Matrix expected = bench::matmul::multiply_by_definition(a, b, n);
  Matrix product(n * n);
  return bench::measure(
      "matmul", size, [&] { multiply(a, b, product, n); }, [&] { return bench::same(product, expected); });
}
