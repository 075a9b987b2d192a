// A matrix product by its definition: a task per row of the result, which creates one per element of it; one
// finish for all.
#include <cstddef>
#include <cstdint>

#include "elision.hpp"
#include "matmul.hpp"
#include "verification.hpp"

namespace {

using bench::matmul::Matrix;

class Product {
 public:
  explicit Product(long size)
      : n_(static_cast<std::size_t>(size)),
        a_(bench::matmul::matrix_of(n_, 1)),
        b_(bench::matmul::matrix_of(n_, 5)),
        product_(n_ * n_) {}

  template <class Tasks>
  void solve() {
    Tasks::forall(std::size_t{0}, n_, [this](std::size_t row) {
      Tasks::forasync(std::size_t{0}, n_, [this, row](std::size_t column) { compute(row, column); });
    });
  }

  [[nodiscard]] std::uint64_t fingerprint() const { return bench::fingerprint(product_); }
  [[nodiscard]] bool is_plausible() const {
    return bench::same(product_, bench::matmul::multiply_by_definition(a_, b_, n_));
  }

 private:
  void compute(std::size_t row, std::size_t column) {
    double sum = 0;
    for (std::size_t k = 0; k < n_; ++k) sum += a_[row * n_ + k] * b_[k * n_ + column];
    product_[row * n_ + column] = sum;
  }

  std::size_t n_;
  Matrix a_;
  Matrix b_;
  Matrix product_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run<Product>("matmul_elements", argc, argv, {"number of rows", 1, 4096});
}
