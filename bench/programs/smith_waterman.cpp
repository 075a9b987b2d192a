// Smith-Waterman alignment of two sequences in tiles: one future per tile, which waits for the tiles above
// and to the left of it.
#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "measured.hpp"

namespace ao = anyorder;

namespace {

constexpr std::size_t kTile = 32;
constexpr int kMatch = 3;
constexpr int kMismatch = -2;
constexpr int kGap = -1;

struct Alignment {
  explicit Alignment(std::size_t letters, unsigned seed) : width(letters + 1), scores(width * width) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < letters; ++i) {
      down += "ACGT"[random() % 4];
      across += "ACGT"[random() % 4];
    }
  }
  std::size_t width;        // of the scores: row and column 0 are the empty prefixes
  std::vector<int> scores;  // by row
  std::string down;
  std::string across;
};

struct Area {
  std::size_t row, row_end, column, column_end;
};

void align(Alignment& alignment, const Area& area) {
  const std::size_t width = alignment.width;
  for (std::size_t i = area.row; i < area.row_end; ++i) {
    const int* const above = &alignment.scores[(i - 1) * width];
    int* const here = &alignment.scores[i * width];
    const char letter = alignment.down[i - 1];
    for (std::size_t j = area.column; j < area.column_end; ++j) {
      const int pair = above[j - 1] + (letter == alignment.across[j - 1] ? kMatch : kMismatch);
      here[j] = std::max({0, pair, above[j] + kGap, here[j - 1] + kGap});
    }
  }
}

void align_in_tiles(Alignment& alignment) {
  const std::size_t end = alignment.width;
  std::vector<ao::future<void>> above((end + kTile - 2) / kTile);  // the last tile so far, by column of tiles
  ao::finish([&] {
    for (std::size_t row = 1; row < end; row += kTile) {
      ao::future<void> left;
      for (std::size_t column = 1; column < end; column += kTile) {
        ao::future<void>& last = above[column / kTile];
        const Area area{row, std::min(row + kTile, end), column, std::min(column + kTile, end)};
        left = ao::async_future([&alignment, area, up = last, left] {
          if (up.valid()) up.get();
          if (left.valid()) left.get();
          align(alignment, area);
        });
        last = left;
      }
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  const long size = bench::size_argument(argc, argv, {"letters of each sequence", 1, 65536});
  const auto letters = static_cast<std::size_t>(size);
  Alignment expected(letters, 7);
  align(expected, {1, letters + 1, 1, letters + 1});
  Alignment alignment(letters, 7);
  return bench::measure(
      "smith_waterman", size, [&] { align_in_tiles(alignment); },
      [&] { return bench::same(alignment.scores, expected.scores); });
}
