// Molecular dynamics after the Java Grande benchmark MolDyn: argon in a periodic box, Lennard-Jones forces
// within a radius, 50 steps. Each step has three foralls over the particles. A task computes the whole force
// on its particle, each pair twice: the original's threads sum up in arrays of their own instead.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "elision.hpp"
#include "verification.hpp"

namespace {

constexpr int kSteps = 50;
constexpr double kTimeStep = 0.002;
constexpr double kDensity = 0.83134;
constexpr double kTemperature = 0.722;
constexpr std::size_t kAxes = 3;

using Vector = std::array<double, kAxes>;

struct Particle {
  Vector position{};
  Vector velocity{};
  Vector force{};
  double potential = 0;  // half of that of all its pairs

  [[nodiscard]] double kinetic() const {
    return (velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]) / 2;
  }
};

class Box {
 public:
  // A face-centred cubic lattice, four particles in each of cells^3 cells.
  explicit Box(long cells) {
    const auto along = static_cast<std::size_t>(cells);
    const double count = 4.0 * static_cast<double>(along * along * along);
    side_ = std::cbrt(count / kDensity);
    const double radius = std::min(std::max(static_cast<double>(cells) / 4, 2.5), side_ / 2 * (1 - 1e-9));
    radius_squared_ = radius * radius;
    potential_at_radius_ = half_potential(std::pow(radius, -6));
    const double cell = side_ / static_cast<double>(along);
    constexpr std::array<Vector, 4> kInCell{{{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}};
    for (std::size_t i = 0; i < along * along * along; ++i) {
      const std::array<std::size_t, kAxes> corner{i / along / along, i / along % along, i % along};
      for (const Vector& within : kInCell) {
        Particle particle;
        for (std::size_t axis = 0; axis < kAxes; ++axis) {
          particle.position[axis] = (static_cast<double>(corner[axis]) + within[axis]) * cell;
        }
        particles_.push_back(particle);
      }
    }
    set_velocities();
    for (std::size_t i = 0; i < particles_.size(); ++i) compute_force(i);
    energy_at_first_ = energy();
  }

  // Velocity Verlet.
  template <class Tasks>
  void solve() {
    const std::size_t count = particles_.size();
    for (int step = 0; step < kSteps; ++step) {
      Tasks::forall(std::size_t{0}, count, [this](std::size_t i) {
        accelerate(particles_[i]);
        move(particles_[i]);
      });
      Tasks::forall(std::size_t{0}, count, [this](std::size_t i) { compute_force(i); });
      Tasks::forall(std::size_t{0}, count, [this](std::size_t i) { accelerate(particles_[i]); });
    }
  }

  [[nodiscard]] std::uint64_t fingerprint() const {
    return bench::fingerprint(reinterpret_cast<const double*>(particles_.data()),
                              particles_.size() * sizeof(Particle) / sizeof(double));
  }

  // Energy and momentum stay.
  ANYORDER_BENCH_UNCHECKED bool is_plausible() const {
    const auto count = static_cast<double>(particles_.size());
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      double momentum = 0;
      for (const Particle& particle : particles_) momentum += particle.velocity[axis];
      if (!(std::abs(momentum) < 1e-9 * count)) return false;
    }
    return std::abs(energy() - energy_at_first_) < 0.02 * count;
  }

 private:
  void set_velocities() {
    std::mt19937 random(5489);
    std::normal_distribution<double> normal(0, std::sqrt(kTemperature));
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      double sum = 0;
      for (Particle& particle : particles_) sum += particle.velocity[axis] = normal(random);
      for (Particle& particle : particles_) {
        particle.velocity[axis] -= sum / static_cast<double>(particles_.size());
      }
    }
  }

  static void accelerate(Particle& particle) {
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      particle.velocity[axis] += kTimeStep / 2 * particle.force[axis];
    }
  }

  void move(Particle& particle) const {
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      double& x = particle.position[axis];
      x += kTimeStep * particle.velocity[axis];
      if (x < 0) x += side_;
      if (x >= side_) x -= side_;
    }
  }

  // To the nearest image.
  [[nodiscard]] double distance_along(double from, double to) const {
    const double distance = to - from;
    if (distance > side_ / 2) return distance - side_;
    return distance < -side_ / 2 ? distance + side_ : distance;
  }

  static double half_potential(double sixth) { return 2 * sixth * (sixth - 1); }

  void compute_force(std::size_t i) {
    const Vector here = particles_[i].position;
    Vector force{};
    double potential = 0;
    for (std::size_t j = 0; j < particles_.size(); ++j) {
      if (j == i) continue;
      const Vector& there = particles_[j].position;
      const Vector apart{distance_along(there[0], here[0]), distance_along(there[1], here[1]),
                         distance_along(there[2], here[2])};
      const double squared = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
      if (squared > radius_squared_) continue;
      const double inverse = 1 / squared;
      const double sixth = inverse * inverse * inverse;
      potential += half_potential(sixth) - potential_at_radius_;
      const double strength = 48 * inverse * sixth * (sixth - 0.5);
      for (std::size_t axis = 0; axis < kAxes; ++axis) force[axis] += strength * apart[axis];
    }
    particles_[i].force = force;
    particles_[i].potential = potential;
  }

  ANYORDER_BENCH_UNCHECKED double energy() const {
    double sum = 0;
    for (const Particle& particle : particles_) sum += particle.kinetic() + particle.potential;
    return sum;
  }

  double side_ = 0;
  double radius_squared_ = 0;
  double potential_at_radius_ = 0;  // taken off, so that no energy comes or goes there
  std::vector<Particle> particles_;
  double energy_at_first_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run<Box>("moldyn", argc, argv, {"number of cells along a side", 2, 64});
}
