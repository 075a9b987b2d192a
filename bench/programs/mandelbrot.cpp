// The Mandelbrot set as a bitmap, as the Computer Language Benchmarks Game has it: 50 iterations, eight
// points in a byte, one task per row.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "elision.hpp"
#include "verification.hpp"

namespace {

constexpr int kIterations = 50;
constexpr std::size_t kPointsPerByte = 8;

class Bitmap {
 public:
  explicit Bitmap(long size)
      : n_(static_cast<std::size_t>(size)),
        bytes_per_row_((n_ + kPointsPerByte - 1) / kPointsPerByte),
        bytes_(n_ * bytes_per_row_) {}

  template <class Tasks>
  void solve() {
    Tasks::forall(std::size_t{0}, n_, [this](std::size_t row) { draw_row(row); });
  }

  [[nodiscard]] std::uint64_t fingerprint() const { return bench::fingerprint(bytes_); }

  // The set covers about 1.5 of the 4 that are drawn.
  ANYORDER_BENCH_UNCHECKED bool is_plausible() const {
    std::size_t inside = 0;
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      inside += static_cast<std::size_t>(__builtin_popcount(bytes_.data()[i]));
    }
    const double part = static_cast<double>(inside) / static_cast<double>(n_ * n_);
    return part > 0.33 && part < 0.47;
  }

 private:
  void draw_row(std::size_t row) {
    const double step = 2 / static_cast<double>(n_);
    const double imaginary = static_cast<double>(row) * step - 1;
    for (std::size_t byte = 0; byte < bytes_per_row_; ++byte) {
      unsigned bits = 0;
      for (std::size_t i = 0; i < kPointsPerByte; ++i) {
        const std::size_t column = byte * kPointsPerByte + i;
        const double real = static_cast<double>(column) * step - 1.5;
        bits = (bits << 1U) | (column < n_ && is_inside(real, imaginary) ? 1U : 0U);
      }
      bytes_[row * bytes_per_row_ + byte] = static_cast<std::uint8_t>(bits);
    }
  }

  static bool is_inside(double real, double imaginary) {
    double x = 0;
    double y = 0;
    for (int i = 0; i < kIterations; ++i) {
      const double next = x * x - y * y + real;
      y = 2 * x * y + imaginary;
      x = next;
      if (x * x + y * y > 4) return false;
    }
    return true;
  }

  std::size_t n_;
  std::size_t bytes_per_row_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run<Bitmap>("mandelbrot", argc, argv, {"number of rows of the bitmap", 8, 32768});
}
