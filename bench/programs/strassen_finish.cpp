// Strassen's matrix product with async and finish: a finish with seven tasks for the products of each level,
// then one with four for the quadrants of the result.
#include "strassen.hpp"

namespace ao = anyorder;

namespace {

using bench::strassen::cutoff;
using bench::strassen::kProducts;
using bench::strassen::kQuadrants;
using bench::strassen::Level;
using bench::strassen::Part;

void multiply_in_tasks(Part<const double> a, Part<const double> b, Part<double> result) {
  if (a.n <= cutoff) return bench::strassen::multiply_by_definition(a, b, result);
  Level level(a, b, result);
  ao::forall(std::size_t{0}, kProducts,
             [&level](std::size_t i) { level.compute_product(i, multiply_in_tasks); });
  ao::forall(std::size_t{0}, kQuadrants, [&level](std::size_t i) { level.compute_quadrant(i); });
}

}  // namespace

int main(int argc, char** argv) {
  return bench::strassen::run("strassen_finish", argc, argv, multiply_in_tasks);
}
