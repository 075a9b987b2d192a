// Jacobi iteration on a square grid in tiles: one future per tile and sweep, which waits for the tile itself
// and its four neighbours in the sweep before. There is no barrier between sweeps.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "measured.hpp"
#include "verification.hpp"

namespace ao = anyorder;

namespace {

constexpr int kSweeps = 8;

// Points along a tile's side. Small grids have small tiles, so that they have several.
constexpr std::size_t tile_of(std::size_t n) { return n < 1024 ? 16 : 64; }

// n × n inner points with a border of fixed values around them.
class Grid {
 public:
  explicit Grid(std::size_t n) : width_(n + 2), points_(width_ * width_) {
    for (std::size_t i = 0; i < width_; ++i) {
      at(0, i) = 1;
      at(i, 0) = static_cast<double>(i % 5);
    }
  }
  double& at(std::size_t row, std::size_t column) { return points_[row * width_ + column]; }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    return points_[row * width_ + column];
  }
  [[nodiscard]] const std::vector<double>& points() const { return points_; }

 private:
  std::size_t width_;
  std::vector<double> points_;
};

// A sweep reads one grid and writes the other.
class Problem {
 public:
  explicit Problem(std::size_t n) : n_(n), tile_(tile_of(n)), grids_{Grid(n), Grid(n)} {}

  [[nodiscard]] std::size_t tiles_along() const { return (n_ + tile_ - 1) / tile_; }
  // Rows and columns of tiles count from 1.
  void relax(int sweep, std::size_t tile_row, std::size_t tile_column) {
    const Grid& from = grids_[static_cast<std::size_t>(sweep % 2)];
    Grid& to = grids_[static_cast<std::size_t>((sweep + 1) % 2)];
    const std::size_t row_end = std::min(tile_row * tile_, n_) + 1;
    const std::size_t column_end = std::min(tile_column * tile_, n_) + 1;
    for (std::size_t i = (tile_row - 1) * tile_ + 1; i < row_end; ++i) {
      for (std::size_t j = (tile_column - 1) * tile_ + 1; j < column_end; ++j) {
        to.at(i, j) = 0.25 * (from.at(i - 1, j) + from.at(i + 1, j) + from.at(i, j - 1) + from.at(i, j + 1));
      }
    }
  }
  [[nodiscard]] std::uint64_t fingerprint_of_result() const {
    return bench::fingerprint(grids_[kSweeps % 2].points());
  }

 private:
  std::size_t n_;
  std::size_t tile_;
  std::array<Grid, 2> grids_;
};

void iterate_serially(Problem& problem) {
  const std::size_t along = problem.tiles_along();
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t r = 1; r <= along; ++r) {
      for (std::size_t c = 1; c <= along; ++c) problem.relax(sweep, r, c);
    }
  }
}

// The tiles of one sweep, with a border of empty handles around them.
class Tiles {
 public:
  explicit Tiles(std::size_t along) : width_(along + 2), handles_(width_ * width_) {}
  ao::future<void>& at(std::size_t row, std::size_t column) { return handles_[row * width_ + column]; }

 private:
  std::size_t width_;
  std::vector<ao::future<void>> handles_;
};

// The grid that a sweep writes is the one that the sweep before read. A tile may write there once the tiles
// that read those points are done: they are the ones it waits for anyway.
void iterate_in_tasks(Problem& problem) {
  const std::size_t along = problem.tiles_along();
  ao::finish([&problem, along] {
    Tiles before(along);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      Tiles now(along);
      for (std::size_t r = 1; r <= along; ++r) {
        for (std::size_t c = 1; c <= along; ++c) {
          const std::array<ao::future<void>, 5> needed{before.at(r, c), before.at(r - 1, c),
                                                       before.at(r + 1, c), before.at(r, c - 1),
                                                       before.at(r, c + 1)};
          now.at(r, c) = ao::async_future([&problem, sweep, r, c, needed] {
            for (const ao::future<void>& tile : needed) {
              if (tile.valid()) tile.get();
            }
            problem.relax(sweep, r, c);
          });
        }
      }
      before = std::move(now);
    }
  });
}

std::uint64_t expected_fingerprint(std::size_t n) {
  Problem problem(n);
  iterate_serially(problem);
  return problem.fingerprint_of_result();
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Arguments given = bench::arguments(argc, argv, {"number of points along a side", 1, 16384});
  const auto n = static_cast<std::size_t>(given.size);
  const std::uint64_t expected = expected_fingerprint(n);
  Problem problem(n);
  return bench::measure(
      "jacobi", given.size,
      [&] {
        if (given.version == bench::Version::serial) {
          iterate_serially(problem);
        } else {
          iterate_in_tasks(problem);
        }
      },
      [&] { return problem.fingerprint_of_result() == expected; });
}
