// The fast Fourier transform after the BOTS benchmark FFT: two tasks for the halves of each level down to 32
// points, and then a forall over pieces of the butterflies.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "elision.hpp"
#include "verification.hpp"

namespace {

using Complex = std::complex<double>;

constexpr std::size_t kWithoutTasks = 32;  // points, and butterflies
constexpr double kTwoPi = 6.28318530717958647692;

class Transform {
 public:
  explicit Transform(long points)
      : n_(static_cast<std::size_t>(points)), input_(n_), roots_(n_ / 2), output_(n_) {
    std::mt19937 random(1);
    const auto number = [&random] { return static_cast<double>(random() % 2001) / 1000 - 1; };
    for (Complex& value : input_) {
      const double real = number();
      value = {real, number()};
    }
    for (std::size_t k = 0; k < roots_.size(); ++k) {
      const double angle = -kTwoPi * static_cast<double>(k) / static_cast<double>(n_);
      roots_[k] = {std::cos(angle), std::sin(angle)};
    }
  }

  template <class Tasks>
  void solve() {
    transform<Tasks>(input_.data(), 1, output_.data(), n_);
  }

  [[nodiscard]] std::uint64_t fingerprint() const {
    return bench::fingerprint(reinterpret_cast<const double*>(output_.data()), 2 * n_);
  }

  // By Parseval, and the first coefficient by its definition.
  ANYORDER_BENCH_UNCHECKED bool is_plausible() const {
    double of_input = 0;
    double of_output = 0;
    Complex sum = 0;
    for (const Complex& value : input_) {
      of_input += std::norm(value);
      sum += value;
    }
    for (const Complex& value : output_) of_output += std::norm(value);
    const double energy = of_input * static_cast<double>(n_);
    return std::abs(of_output - energy) <= 1e-9 * energy && std::abs(output_[0] - sum) <= 1e-6;
  }

 private:
  // n points from `from`, each `stride` after the one before.
  template <class Tasks>
  void transform(const Complex* from, std::size_t stride, Complex* to, std::size_t n) const {
    if (n <= kWithoutTasks) return transform_small(from, stride, to, n);
    const std::size_t half = n / 2;
    Tasks::finish([=, this] {
      Tasks::async([=, this] { transform<Tasks>(from, 2 * stride, to, half); });
      Tasks::async([=, this] { transform<Tasks>(from + stride, 2 * stride, to + half, half); });
    });
    const std::size_t pieces = (half + kWithoutTasks - 1) / kWithoutTasks;
    Tasks::forall(std::size_t{0}, pieces, [=, this](std::size_t piece) {
      const std::size_t begin = piece * kWithoutTasks;
      combine(stride, to, half, begin, std::min(begin + kWithoutTasks, half));
    });
  }

  void transform_small(const Complex* from, std::size_t stride, Complex* to, std::size_t n) const {
    if (n == 1) {
      *to = *from;
      return;
    }
    const std::size_t half = n / 2;
    transform_small(from, 2 * stride, to, half);
    transform_small(from + stride, 2 * stride, to + half, half);
    combine(stride, to, half, 0, half);
  }

  // Butterflies from `begin` to `end`, of the two halves at `to`.
  void combine(std::size_t stride, Complex* to, std::size_t half, std::size_t begin, std::size_t end) const {
    for (std::size_t k = begin; k < end; ++k) {
      const Complex root = roots_[k * stride];
      const Complex odd = to[k + half];
      // By hand: the operator looks for infinities.
      const Complex turned{root.real() * odd.real() - root.imag() * odd.imag(),
                           root.real() * odd.imag() + root.imag() * odd.real()};
      const Complex even = to[k];
      to[k] = even + turned;
      to[k + half] = even - turned;
    }
  }

  std::size_t n_;
  std::vector<Complex> input_;
  std::vector<Complex> roots_;  // of unity, the first half of them
  std::vector<Complex> output_;
};

}  // namespace

int main(int argc, char** argv) {
  constexpr bench::SizeRange kSizes{"number of points, a power of two", 1, 1L << 28};
  const long points = bench::arguments(argc, argv, kSizes).size;
  if ((points & (points - 1)) != 0) bench::end_with_usage(argv[0], "<size> [serial]", kSizes);
  return bench::run<Transform>("fft", argc, argv, kSizes);
}
