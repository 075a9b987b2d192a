// A wavefront: Smith-Waterman alignment of two sequences, in tiles. A cell of the score matrix needs its
// neighbours above, to the left and above-left; a tile can start when the tiles there are done. One future
// per tile waits for just those, so the work sweeps over the matrix diagonally, without a barrier
// between one diagonal and the next.
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <anyorder/anyorder.hpp>

#include "size_argument.hpp"

namespace ao = anyorder;

namespace {

constexpr std::size_t kTile = 64;

// Row 0 and column 0 are the empty prefixes: always 0.
class Scores {
 public:
  explicit Scores(std::size_t letters) : width_(letters + 1), cells_(width_ * width_) {}

  int& at(std::size_t row, std::size_t column) { return cells_[row * width_ + column]; }
  [[nodiscard]] int best() const { return *std::max_element(cells_.begin(), cells_.end()); }
  friend bool operator==(const Scores&, const Scores&) = default;

 private:
  std::size_t width_;
  std::vector<int> cells_;
};

struct Problem {
  std::string a;
  std::string b;

  [[nodiscard]] std::size_t letters() const { return a.size(); }
};

// The recurrence on the cells [row, row_end) × [column, column_end).
void align(const Problem& problem, Scores& scores, std::size_t row, std::size_t row_end, std::size_t column,
           std::size_t column_end) {
  for (std::size_t i = row; i < row_end; ++i) {
    for (std::size_t j = column; j < column_end; ++j) {
      const int pair = problem.a[i - 1] == problem.b[j - 1] ? 2 : -1;
      scores.at(i, j) =
          std::max({0, scores.at(i - 1, j - 1) + pair, scores.at(i - 1, j) - 1, scores.at(i, j - 1) - 1});
    }
  }
}

// The tile above-left needs no handle: the tile above has waited for it.
Scores align_in_tiles(const Problem& problem) {
  Scores scores(problem.letters());
  const std::size_t end = problem.letters() + 1;
  std::vector<ao::future<void>> above(end / kTile + 1);  // of the row of tiles before, by column
  for (std::size_t row = 1; row < end; row += kTile) {
    ao::future<void> left;
    for (std::size_t column = 1; column < end; column += kTile) {
      ao::future<void>& up = above[column / kTile];
      left = ao::async_future([&problem, &scores, up, left, row, column, end] {
        if (up.valid()) up.get();
        if (left.valid()) left.get();
        align(problem, scores, row, std::min(row + kTile, end), column, std::min(column + kTile, end));
      });
      up = left;
    }
  }
  above[(end - 2) / kTile].get();  // the last tile; every other one comes before it
  return scores;
}

Scores align_serially(const Problem& problem) {
  Scores scores(problem.letters());
  align(problem, scores, 1, problem.letters() + 1, 1, problem.letters() + 1);
  return scores;
}

std::string random_sequence(std::size_t letters, unsigned seed) {
  std::mt19937 random(seed);
  std::string sequence(letters, ' ');
  for (char& letter : sequence) letter = "ACGT"[random() % 4];
  return sequence;
}

}  // namespace

int main(int argc, char** argv) {
  const auto letters = static_cast<std::size_t>(size_argument(
      argc, argv, {"Aligns two random sequences with a wavefront of futures.", "letters", 1000, 1, 20'000}));
  const Problem problem{random_sequence(letters, 1), random_sequence(letters, 2)};

  const Scores scores = align_in_tiles(problem);
  std::cout << "two sequences of " << letters << " letters: the best local alignment scores " << scores.best()
            << '\n';

  if (scores != align_serially(problem)) {
    std::cerr << "wrong: the serial dynamic program gives other scores\n";
    return 1;
  }
  return 0;
}
