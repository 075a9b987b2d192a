// Coefficients of a Fourier series with async and finish: one task per coefficient after the first.
#include "series.hpp"

namespace ao = anyorder;

namespace {

using bench::series::Coefficients;

void compute_in_tasks(Coefficients& coefficients) {
  bench::series::compute_first(coefficients);
  const std::size_t count = coefficients[0].size();
  ao::finish([&coefficients, count] {
    for (std::size_t i = 1; i < count; ++i) {
      ao::async([&coefficients, i] { bench::series::compute(coefficients, i); });
    }
  });
}

}  // namespace

int main(int argc, char** argv) { return bench::series::run("series", argc, argv, compute_in_tasks); }
