// The work of montecarlo and montecarlo_redundant: paths of a stock price as the Java Grande benchmark
// MonteCarlo simulates them, one task each, and the return that each of them suggests.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "elision.hpp"
#include "verification.hpp"

namespace bench::montecarlo {

constexpr std::size_t kSteps = 1000;
constexpr double kStepsPerYear = 365;

// Of one path: SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  // Between 0 and 1, without both.
  double uniform() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
    bits ^= bits >> 31U;
    return (static_cast<double>(bits >> 11U) + 0.5) / 9007199254740992.0;
  }
  // By Box and Muller.
  double normal() {
    constexpr double kTwoPi = 6.28318530717958647692;
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(kTwoPi * uniform());
  }

 private:
  std::uint64_t state_;
};

// What all tasks read.
struct Model {
  double start = 100;
  double drift = 0.05;      // per year
  double volatility = 0.2;  // per root of a year
  double step = 1 / kStepsPerYear;
};

// With kRedundant each task sets a number of the model that has this value already: a race that no result
// shows.
template <bool kRedundant>
class Paths {
 public:
  explicit Paths(long count) : returns_(static_cast<std::size_t>(count)) {}

  template <class Tasks>
  void solve() {
    Tasks::forall(std::size_t{0}, returns_.size(), [this](std::size_t i) { simulate(i); });
    double sum = 0;
    for (const double value : returns_) sum += value;
    mean_ = sum / static_cast<double>(returns_.size());
  }

  [[nodiscard]] std::uint64_t fingerprint() const { return bench::fingerprint(returns_); }

  // Within six standard errors.
  [[nodiscard]] bool is_plausible() const {
    const double years = kSteps * model_.step * static_cast<double>(returns_.size());
    return std::abs(mean_ - model_.drift) < 6 * model_.volatility / std::sqrt(years);
  }

 private:
  void simulate(std::size_t i) {
    if constexpr (kRedundant) model_.step = 1 / kStepsPerYear;
    Random random(2 * i);
    const double growth = (model_.drift - model_.volatility * model_.volatility / 2) * model_.step;
    const double spread = model_.volatility * std::sqrt(model_.step);
    std::vector<double> prices(kSteps + 1);
    prices[0] = model_.start;
    for (std::size_t step = 1; step <= kSteps; ++step) {
      prices[step] = prices[step - 1] * std::exp(growth + spread * random.normal());
    }
    returns_[i] = suggested_return(prices);
  }

  // The drift that these prices are most likely of.
  [[nodiscard]] double suggested_return(const std::vector<double>& prices) const {
    double sum = 0;
    double squares = 0;
    for (std::size_t step = 1; step <= kSteps; ++step) {
      const double change = std::log(prices[step] / prices[step - 1]);
      sum += change;
      squares += change * change;
    }
    const double mean = sum / kSteps;
    const double variance = squares / kSteps - mean * mean;
    return (mean + variance / 2) / model_.step;
  }

  Model model_;
  std::vector<double> returns_;
  double mean_ = 0;
};

constexpr SizeRange kSizes{"number of paths", 1, 1L << 24};

}  // namespace bench::montecarlo
