// A ray tracer after the Java Grande benchmark RayTracer: 64 mirroring spheres and a light, one task per row
// of the picture.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "elision.hpp"
#include "verification.hpp"

namespace {

constexpr int kAlong = 4;  // spheres along each edge of the cube that they fill
constexpr int kMostReflections = 6;
constexpr double kNothingHit = 1e9;
constexpr double kMirrors = 0.3;  // of the light

struct Vec {
  double x, y, z;
};
Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec operator*(double factor, Vec a) { return {factor * a.x, factor * a.y, factor * a.z}; }
double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec normalized(Vec a) { return 1 / std::sqrt(dot(a, a)) * a; }

struct Sphere {
  Vec centre;
  double radius;
  Vec colour;
};

struct Ray {
  Vec origin;
  Vec direction;  // of length 1
};

// How far it is to the sphere, kNothingHit if the ray misses it.
double distance_to(const Sphere& sphere, const Ray& ray) {
  const Vec there = sphere.centre - ray.origin;
  const double along = dot(there, ray.direction);
  const double square = along * along - dot(there, there) + sphere.radius * sphere.radius;
  if (square < 0) return kNothingHit;
  const double distance = along - std::sqrt(square);
  return distance > 1e-6 ? distance : kNothingHit;
}

class Picture {
 public:
  explicit Picture(long size) : n_(static_cast<std::size_t>(size)), pixels_(n_ * n_) {
    for (int i = 0; i < kAlong * kAlong * kAlong; ++i) {
      const std::array<int, 3> at{i % kAlong, i / kAlong % kAlong, i / kAlong / kAlong};
      const auto place = [](int index) { return 20.0 / (kAlong - 1) * index - 10; };
      // The colour does not depend on the side: the picture is its own mirror image.
      spheres_.push_back(
          {{place(at[0]), place(at[1]), place(at[2])},
           3,
           {0.9, 0.2 + 0.2 * static_cast<double>(at[1]), 0.8 - 0.2 * static_cast<double>(at[2])}});
    }
  }

  template <class Tasks>
  void solve() {
    Tasks::forall(std::size_t{0}, n_, [this](std::size_t row) { trace_row(row); });
  }

  [[nodiscard]] std::uint64_t fingerprint() const { return bench::fingerprint(pixels_); }

  // Its own mirror image, and neither all sphere nor all background.
  ANYORDER_BENCH_UNCHECKED bool is_plausible() const {
    const std::uint32_t* const at = pixels_.data();
    std::size_t dark = 0;
    for (std::size_t row = 0; row < n_; ++row) {
      for (std::size_t column = 0; column < n_; ++column) {
        if (at[row * n_ + column] != at[row * n_ + n_ - 1 - column]) return false;
        if (at[row * n_ + column] == 0) ++dark;
      }
    }
    return dark > 0 && dark < n_ * n_ / 2;
  }

 private:
  void trace_row(std::size_t row) {
    // Counted from the middle, in half pixels.
    const auto from_middle = [this](std::size_t index) {
      return static_cast<double>(static_cast<long>(2 * index + 1) - static_cast<long>(n_)) /
             static_cast<double>(n_);
    };
    for (std::size_t column = 0; column < n_; ++column) {
      const Vec towards{0.6 * from_middle(column), -0.6 * from_middle(row), 1};
      const Vec colour = colour_seen({{0, 0, -35}, normalized(towards)}, 0);
      pixels_[row * n_ + column] = (byte_of(colour.x) << 16U) | (byte_of(colour.y) << 8U) | byte_of(colour.z);
    }
  }

  [[nodiscard]] const Sphere* first_hit(const Ray& ray, double& distance) const {
    const Sphere* hit = nullptr;
    distance = kNothingHit;
    for (const Sphere& sphere : spheres_) {
      const double found = distance_to(sphere, ray);
      if (found < distance) {
        distance = found;
        hit = &sphere;
      }
    }
    return hit;
  }

  [[nodiscard]] Vec colour_seen(const Ray& ray, int reflections) const {
    double distance = 0;
    const Sphere* const hit = first_hit(ray, distance);
    if (hit == nullptr) return {0, 0, 0};
    const Vec point = ray.origin + distance * ray.direction;
    const Vec normal = normalized(point - hit->centre);
    const Vec light{0, 100, -80};
    const Vec to_light = normalized(light - point);
    double brightness = 0.1;
    double ignored = 0;
    const double facing = dot(normal, to_light);
    if (facing > 0 && first_hit({point, to_light}, ignored) == nullptr) brightness += 0.8 * facing;
    const Vec own = brightness * hit->colour;
    if (reflections == kMostReflections) return own;
    const Vec mirrored = normalized(ray.direction - 2 * dot(ray.direction, normal) * normal);
    return own + kMirrors * colour_seen({point, mirrored}, reflections + 1);
  }

  static std::uint32_t byte_of(double part) {
    return part >= 1 ? 255U : static_cast<std::uint32_t>(part * 255);
  }

  std::size_t n_;
  std::vector<Sphere> spheres_;
  std::vector<std::uint32_t> pixels_;  // by rows: red, green, blue
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run<Picture>("raytracer", argc, argv, {"number of rows of the picture", 8, 8192});
}
