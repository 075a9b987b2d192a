// Coefficients of a Fourier series with futures: one task per coefficient after the first, all handles in an
// array, and a get for each.
#include "series.hpp"

namespace ao = anyorder;

namespace {

using bench::series::Coefficients;

void compute_in_tasks(Coefficients& coefficients) {
  bench::series::compute_first(coefficients);
  const std::size_t count = coefficients[0].size();
  std::vector<ao::future<void>> handles(count - 1);
  for (std::size_t i = 1; i < count; ++i) {
    handles[i - 1] = ao::async_future([&coefficients, i] { bench::series::compute(coefficients, i); });
  }
  for (const ao::future<void>& handle : handles) handle.get();
}

}  // namespace

int main(int argc, char** argv) { return bench::series::run("series_futures", argc, argv, compute_in_tasks); }
