// How many ways there are to place n queens on a board so that none attacks another, after the BOTS benchmark
// NQueens: a task for each queen that can be placed, with its own copy of the board.
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "elision.hpp"
#include "verification.hpp"

namespace {

constexpr std::size_t kMost = 16;
// By n.
constexpr std::array<std::uint64_t, kMost + 1> kKnown{
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};

using Board = std::array<std::int8_t, kMost>;  // the queen's column, by row

bool is_safe(const Board& board, std::size_t row, std::size_t column) {
  for (std::size_t above = 0; above < row; ++above) {
    const int apart = board[above] - static_cast<int>(column);
    const int rows = static_cast<int>(row - above);
    if (apart == 0 || apart == rows || apart == -rows) return false;
  }
  return true;
}

class Queens {
 public:
  explicit Queens(long size) : n_(static_cast<std::size_t>(size)) {}

  template <class Tasks>
  void solve() {
    solutions_ = count<Tasks>(Board{}, 0);
  }

  [[nodiscard]] std::uint64_t fingerprint() const { return solutions_; }
  [[nodiscard]] bool is_plausible() const { return solutions_ == kKnown[n_]; }

 private:
  // Of the solutions that begin with the first `row` queens of the board.
  template <class Tasks>
  std::uint64_t count(const Board& board, std::size_t row) const {
    if (row == n_) return 1;
    std::array<std::uint64_t, kMost> by_column{};
    Tasks::finish([this, &board, &by_column, row] {
      for (std::size_t column = 0; column < n_; ++column) {
        if (!is_safe(board, row, column)) continue;
        Tasks::async([this, next = board, result = &by_column[column], row, column]() mutable {
          next[row] = static_cast<std::int8_t>(column);
          *result = count<Tasks>(next, row + 1);
        });
      }
    });
    return std::accumulate(by_column.begin(), by_column.end(), std::uint64_t{0});
  }

  std::size_t n_;
  std::uint64_t solutions_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run<Queens>("nqueens", argc, argv, {"number of queens", 1, kMost});
}
