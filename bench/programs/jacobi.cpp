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
// As many as the known joins paper has tasks for: 15,872 of 16 × 16 tiles each.
constexpr int kPaperSweeps = 62;

// Points along a tile's side. Small grids have small tiles, so that they have several.
constexpr std::size_t tile_of(std::size_t n) { return n < 1024 ? 16 : 64; }
// 512 of 8192 in the known joins paper.
constexpr std::size_t paper_tile_of(std::size_t n) { return (n + 15) / 16; }

// What a task gets: part of a sweep, which reads one grid and writes the other. By value, as a closure has
// it.
struct TileSweep {
  const double* from;
  double* to;
  std::size_t width;  // of the grids
  std::size_t row, row_end;
  std::size_t column, column_end;

  void relax() const {
    for (std::size_t i = row; i < row_end; ++i) {
      for (std::size_t at = i * width + column; at < i * width + column_end; ++at) {
        to[at] = 0.25 * (from[at - width] + from[at + width] + from[at - 1] + from[at + 1]);
      }
    }
  }
};

// Two grids of n × n inner points, with a border of fixed values around them.
class Problem {
 public:
  Problem(std::size_t n, std::size_t tile, int sweeps)
      : n_(n), tile_(tile), sweeps_(sweeps), grids_{initial_grid(n), initial_grid(n)} {}

  [[nodiscard]] int sweeps() const { return sweeps_; }
  [[nodiscard]] std::size_t tiles_along() const { return (n_ + tile_ - 1) / tile_; }
  // Rows and columns of tiles count from 1.
  [[nodiscard]] TileSweep part(int sweep, std::size_t tile_row, std::size_t tile_column) {
    const auto from = static_cast<std::size_t>(sweep % 2);
    return {grids_[from].data(),        grids_[1 - from].data(), n_ + 2,
            (tile_row - 1) * tile_ + 1, end_of(tile_row),        (tile_column - 1) * tile_ + 1,
            end_of(tile_column)};
  }
  [[nodiscard]] std::uint64_t fingerprint_of_result() const {
    return bench::fingerprint(grids_[static_cast<std::size_t>(sweeps_ % 2)]);
  }

 private:
  [[nodiscard]] std::size_t end_of(std::size_t tile) const { return std::min(tile * tile_, n_) + 1; }

  static std::vector<double> initial_grid(std::size_t n) {
    const std::size_t width = n + 2;
    std::vector<double> points(width * width);
    for (std::size_t i = 0; i < width; ++i) {
      points[i] = 1;
      points[i * width] = static_cast<double>(i % 5);
    }
    return points;
  }

  std::size_t n_;
  std::size_t tile_;
  int sweeps_;
  std::array<std::vector<double>, 2> grids_;
};

void iterate_serially(Problem& problem) {
  const std::size_t along = problem.tiles_along();
  for (int sweep = 0; sweep < problem.sweeps(); ++sweep) {
    for (std::size_t r = 1; r <= along; ++r) {
      for (std::size_t c = 1; c <= along; ++c) problem.part(sweep, r, c).relax();
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
// Returns the tiles of the last sweep.
Tiles create_sweeps(Problem& problem) {
  const std::size_t along = problem.tiles_along();
  Tiles before(along);
  for (int sweep = 0; sweep < problem.sweeps(); ++sweep) {
    Tiles now(along);
    for (std::size_t r = 1; r <= along; ++r) {
      for (std::size_t c = 1; c <= along; ++c) {
        const std::array<ao::future<void>, 5> needed{before.at(r, c), before.at(r - 1, c),
                                                     before.at(r + 1, c), before.at(r, c - 1),
                                                     before.at(r, c + 1)};
        now.at(r, c) = ao::async_future([part = problem.part(sweep, r, c), needed] {
          for (const ao::future<void>& tile : needed) {
            if (tile.valid()) tile.get();
          }
          part.relax();
        });
      }
    }
    before = std::move(now);
  }
  return before;
}

void iterate_in_tasks(Problem& problem) {
  ao::finish([&problem] { create_sweeps(problem); });
}

void iterate_by_futures(Problem& problem) {
  const std::size_t along = problem.tiles_along();
  Tiles last = create_sweeps(problem);
  for (std::size_t r = 1; r <= along; ++r) {
    for (std::size_t c = 1; c <= along; ++c) last.at(r, c).get();
  }
}

std::uint64_t expected_fingerprint(std::size_t n, int sweeps) {
  Problem problem(n, tile_of(n), sweeps);
  iterate_serially(problem);
  return problem.fingerprint_of_result();
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Arguments given = bench::arguments(argc, argv, {"number of points along a side", 1, 16384});
  const auto n = static_cast<std::size_t>(given.size);
  const bool as_in_paper = given.version == bench::Version::futures;
  const int sweeps = as_in_paper ? kPaperSweeps : kSweeps;
  const std::uint64_t expected = expected_fingerprint(n, sweeps);
  Problem problem(n, as_in_paper ? paper_tile_of(n) : tile_of(n), sweeps);
  return bench::measure(
      "jacobi", given.size,
      [&] {
        if (given.version == bench::Version::serial) {
          iterate_serially(problem);
        } else if (given.version == bench::Version::futures) {
          iterate_by_futures(problem);
        } else {
          iterate_in_tasks(problem);
        }
      },
      [&] { return problem.fingerprint_of_result() == expected; });
}
