// Smith-Waterman alignment of two sequences in 40 × 40 tiles: one future per tile, which waits for the tiles
// above, to the left and above to the left of it. Eight tasks have set the scores of the empty prefixes
// before.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "measured.hpp"
#include "verification.hpp"

namespace ao = anyorder;

namespace {

constexpr std::size_t kTilesAlong = 40;
constexpr std::size_t kLeastTile = 25;  // letters; short sequences have fewer tiles
constexpr std::size_t kPartsOfBorder = 4;
constexpr int kUnset = -1;  // no score
constexpr int kMatch = 3;
constexpr int kMismatch = -2;
constexpr int kGap = -1;

// What a task gets: a rectangle of scores, and what they follow from. By value, as a closure has it.
struct Tile {
  int* scores;         // of the whole alignment, by row
  std::size_t width;   // of it
  const char* down;    // the letters
  const char* across;  // the letters
  std::size_t row, row_end;
  std::size_t column, column_end;

  void align() const {
    for (std::size_t i = row; i < row_end; ++i) {
      const int* const above = scores + (i - 1) * width;
      int* const here = scores + i * width;
      const char letter = down[i - 1];
      for (std::size_t j = column; j < column_end; ++j) {
        const int pair = above[j - 1] + (letter == across[j - 1] ? kMatch : kMismatch);
        here[j] = std::max({0, pair, above[j] + kGap, here[j - 1] + kGap});
      }
    }
  }
};

class Alignment {
 public:
  explicit Alignment(std::size_t letters)
      : letters_(letters),
        tile_(std::max(kLeastTile, (letters + kTilesAlong - 1) / kTilesAlong)),
        width_(letters + 1),
        scores_(width_ * width_, kUnset) {
    std::mt19937 random(7);
    for (std::size_t i = 0; i < letters; ++i) {
      down_ += "ACGT"[random() % 4];
      across_ += "ACGT"[random() % 4];
    }
  }

  // The scores of the empty prefix with a part of the prefixes of the other sequence.
  void set_row_zero(std::size_t part) {
    for (std::size_t i = part_begin(part); i < part_begin(part + 1); ++i) scores_[i] = 0;
  }
  void set_column_zero(std::size_t part) {
    for (std::size_t i = std::max<std::size_t>(part_begin(part), 1); i < part_begin(part + 1); ++i) {
      scores_[i * width_] = 0;
    }
  }

  [[nodiscard]] std::size_t tiles_along() const { return (letters_ + tile_ - 1) / tile_; }
  // Rows and columns of tiles count from 0.
  [[nodiscard]] Tile tile(std::size_t row, std::size_t column) {
    return {scores_.data(),  width_,      down_.data(),       across_.data(),
            row * tile_ + 1, end_of(row), column * tile_ + 1, end_of(column)};
  }
  [[nodiscard]] std::uint64_t fingerprint() const { return bench::fingerprint(scores_); }

 private:
  [[nodiscard]] std::size_t part_begin(std::size_t part) const { return part * width_ / kPartsOfBorder; }
  [[nodiscard]] std::size_t end_of(std::size_t tile) const {
    return std::min((tile + 1) * tile_, letters_) + 1;
  }

  std::size_t letters_;
  std::size_t tile_;         // letters along a tile's side
  std::size_t width_;        // row and column 0 are the empty prefixes
  std::vector<int> scores_;  // by row
  std::string down_;
  std::string across_;
};

void align_serially(Alignment& alignment) {
  for (std::size_t part = 0; part < kPartsOfBorder; ++part) {
    alignment.set_row_zero(part);
    alignment.set_column_zero(part);
  }
  const std::size_t along = alignment.tiles_along();
  for (std::size_t row = 0; row < along; ++row) {
    for (std::size_t column = 0; column < along; ++column) alignment.tile(row, column).align();
  }
}

// Returns the last row.
std::vector<ao::future<void>> create_tiles(Alignment& alignment) {
  const std::size_t along = alignment.tiles_along();
  std::vector<ao::future<void>> above(along);  // the row of tiles before
  for (std::size_t row = 0; row < along; ++row) {
    std::vector<ao::future<void>> now(along);
    for (std::size_t column = 0; column < along; ++column) {
      std::array<ao::future<void>, 3> needed{above[column]};
      if (column != 0) {
        needed[1] = now[column - 1];
        needed[2] = above[column - 1];
      }
      now[column] = ao::async_future([tile = alignment.tile(row, column), needed] {
        for (const ao::future<void>& other : needed) {
          if (other.valid()) other.get();
        }
        tile.align();
      });
    }
    above = std::move(now);
  }
  return above;
}

void align_by_futures(Alignment& alignment) {
  std::vector<ao::future<void>> border;
  for (std::size_t part = 0; part < kPartsOfBorder; ++part) {
    border.push_back(ao::async_future([&alignment, part] { alignment.set_row_zero(part); }));
    border.push_back(ao::async_future([&alignment, part] { alignment.set_column_zero(part); }));
  }
  for (const ao::future<void>& part : border) part.get();
  for (const ao::future<void>& tile : create_tiles(alignment)) tile.get();
}

void align_in_tasks(Alignment& alignment) {
  ao::finish([&alignment] {
    for (std::size_t part = 0; part < kPartsOfBorder; ++part) {
      ao::async([&alignment, part] { alignment.set_row_zero(part); });
      ao::async([&alignment, part] { alignment.set_column_zero(part); });
    }
  });
  ao::finish([&alignment] { create_tiles(alignment); });
}

std::uint64_t expected_fingerprint(std::size_t letters) {
  Alignment alignment(letters);
  align_serially(alignment);
  return alignment.fingerprint();
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Arguments given =
      bench::arguments(argc, argv, {"number of letters of each sequence", 1, 65536});
  const auto letters = static_cast<std::size_t>(given.size);
  const std::uint64_t expected = expected_fingerprint(letters);
  Alignment alignment(letters);
  return bench::measure(
      "smith_waterman", given.size,
      [&] {
        if (given.version == bench::Version::serial) {
          align_serially(alignment);
        } else if (given.version == bench::Version::futures) {
          align_by_futures(alignment);
        } else {
          align_in_tasks(alignment);
        }
      },
      [&] { return alignment.fingerprint() == expected; });
}
