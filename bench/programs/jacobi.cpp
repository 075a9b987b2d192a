// Jacobi iteration on a square grid in tiles: one future per tile and sweep, which waits for the tile itself
// and its four neighbours in the sweep before. There is no barrier between sweeps.
#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "measured.hpp"

namespace ao = anyorder;

namespace {

constexpr std::size_t kTile = 16;
constexpr int kSweeps = 8;

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

struct Area {
  std::size_t row, row_end, column, column_end;
};

void relax(const Grid& from, Grid& to, const Area& area) {
  for (std::size_t i = area.row; i < area.row_end; ++i) {
    for (std::size_t j = area.column; j < area.column_end; ++j) {
      to.at(i, j) = 0.25 * (from.at(i - 1, j) + from.at(i + 1, j) + from.at(i, j - 1) + from.at(i, j + 1));
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
void iterate(std::array<Grid, 2>& grids, std::size_t n) {
  const std::size_t along = (n + kTile - 1) / kTile;
  ao::finish([&] {
    Tiles before(along);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      const Grid& from = grids[static_cast<std::size_t>(sweep % 2)];
      Grid& to = grids[static_cast<std::size_t>((sweep + 1) % 2)];
      Tiles now(along);
      for (std::size_t r = 1; r <= along; ++r) {
        for (std::size_t c = 1; c <= along; ++c) {
          const Area area{(r - 1) * kTile + 1, std::min(r * kTile, n) + 1, (c - 1) * kTile + 1,
                          std::min(c * kTile, n) + 1};
          const std::array<ao::future<void>, 5> needed{before.at(r, c), before.at(r - 1, c),
                                                       before.at(r + 1, c), before.at(r, c - 1),
                                                       before.at(r, c + 1)};
          now.at(r, c) = ao::async_future([&from, &to, area, needed] {
            for (const ao::future<void>& tile : needed) {
              if (tile.valid()) tile.get();
            }
            relax(from, to, area);
          });
        }
      }
      before = std::move(now);
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  const long size = bench::size_argument(argc, argv, {"points along a side", 1, 16384});
  const auto n = static_cast<std::size_t>(size);
  std::array<Grid, 2> expected{Grid(n), Grid(n)};
  for (std::size_t sweep = 0; sweep < kSweeps; ++sweep) {
    relax(expected[sweep % 2], expected[(sweep + 1) % 2], {1, n + 1, 1, n + 1});
  }
  std::array<Grid, 2> grids{Grid(n), Grid(n)};
  return bench::measure(
      "jacobi", size, [&] { iterate(grids, n); },
      [&] { return bench::same(grids[kSweeps % 2].points(), expected[kSweeps % 2].points()); });
}
