// Strassen's matrix product with futures: seven for the products of each level, and four tasks for the
// quadrants of the result, which get the products that they need.
//
// This is the one shape that has the counts of Surendran and Sarkar's table: 11 tasks and 12 non-tree joins
// for each of 2801 nodes at 1024 × 1024.
#include "strassen.hpp"

#include <array>

namespace ao = anyorder;

namespace {

using bench::strassen::cutoff;
using bench::strassen::kProducts;
using bench::strassen::Level;
using bench::strassen::Part;

void multiply_in_tasks(Part<const double> a, Part<const double> b, Part<double> result) {
  if (a.n <= cutoff) return bench::strassen::multiply_by_definition(a, b, result);
  Level level(a, b, result);
  ao::finish([&level] {
    std::array<ao::future<void>, kProducts> products;
    for (std::size_t i = 0; i < kProducts; ++i) {
      products[i] = ao::async_future([&level, i] { level.compute_product(i, multiply_in_tasks); });
    }
    const auto compute_after = [&level](std::size_t quadrant, const auto&... needed) {
      ao::async([&level, quadrant, needed...] {
        (needed.get(), ...);
        level.compute_quadrant(quadrant);
      });
    };
    compute_after(0, products[0], products[3], products[4], products[6]);
    compute_after(1, products[2], products[4]);
    compute_after(2, products[1], products[3]);
    compute_after(3, products[0], products[1], products[2], products[5]);
  });
}

void multiply_by_futures(Part<const double> a, Part<const double> b, Part<double> result) {
  if (a.n <= cutoff) return bench::strassen::multiply_by_definition(a, b, result);
  Level level(a, b, result);
  std::array<ao::future<void>, kProducts> products;
  for (std::size_t i = 0; i < kProducts; ++i) {
    products[i] = ao::async_future([&level, i] { level.compute_product(i, multiply_by_futures); });
  }
  const auto compute_after = [&level](std::size_t quadrant, const auto&... needed) {
    return ao::async_future([&level, quadrant, needed...] {
      (needed.get(), ...);
      level.compute_quadrant(quadrant);
    });
  };
  const std::array<ao::future<void>, 4> quadrants{
      compute_after(0, products[0], products[3], products[4], products[6]),
      compute_after(1, products[2], products[4]), compute_after(2, products[1], products[3]),
      compute_after(3, products[0], products[1], products[2], products[5])};
  for (const ao::future<void>& quadrant : quadrants) quadrant.get();
}

}  // namespace

int main(int argc, char** argv) {
  return bench::strassen::run("strassen", argc, argv, multiply_in_tasks, multiply_by_futures);
}
