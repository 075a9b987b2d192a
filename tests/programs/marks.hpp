// What a test program says about itself: the verdict in its name, the racing lines in its comments.
//
// Grammar of the comments (README.md explains them by example):
//
//   // RACE(<name>): <kind> [<kind>]      kind: read, write or update
//   // UNKNOWN: <text>                    up to the end of the line
//
// Each name has exactly two ends. They stand on two lines, or on one line that races with itself.
#pragma once

#include <compare>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace anyorder::programs {

// One side of a race as a report tells it.
struct End {
  std::string place;  // the line's number if it is in the program itself, else file:line
  bool writes = false;

  friend std::strong_ordering operator<=>(const End&, const End&) = default;
  friend bool operator==(const End&, const End&) = default;
};

// Unordered: the lower end comes first.
using Pair = std::pair<End, End>;

[[nodiscard]] Pair make_pair_of(End a, End b);
[[nodiscard]] std::string to_string(const Pair& pair);

struct Marks {
  std::string verdict;  // from the file's name: "race", "clean" or "unknown"
  std::set<Pair> required;
  std::set<Pair> allowed;  // what an update's read may add, where a compiler keeps it; not in `required`
  std::vector<std::string> sentences;  // each has to be part of some unsupported entry
};

// The file does not follow the grammar, or its marks do not fit its verdict.
class BadMarks : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `path` gives the verdict, `source` is the file's text. Throws BadMarks.
[[nodiscard]] Marks parse_marks(const std::string& path, const std::string& source);

}  // namespace anyorder::programs
