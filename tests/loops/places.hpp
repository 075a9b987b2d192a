// Where a function of a generated program accesses memory: two views, p and q, of one array, and memory of
// its own.
//
// Invariant: whatever the values of the variables are, an index is within the array, which becomes as large
// as that takes.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "dice.hpp"

namespace anyorder::loops {

// The values that an expression may have.
struct Interval {
  int low;
  int high;
};
inline Interval operator+(Interval a, Interval b) { return {a.low + b.low, a.high + b.high}; }
inline Interval operator*(Interval a, Interval b) {
  const std::array ends{a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {*std::min_element(ends.begin(), ends.end()), *std::max_element(ends.begin(), ends.end())};
}

// An expression of type int.
struct Number {
  std::string text;
  Interval values;
};

struct View {
  std::string name;
  std::string element;
  int bytes;  // of an element
  int begin;  // within the array
  bool is_floating;
  bool is_struct;
};

class Places {
 public:
  explicit Places(Dice& dice);

  [[nodiscard]] const View& first() const { return first_; }
  [[nodiscard]] const View& second() const { return second_; }
  [[nodiscard]] const View& one() { return dice_.percent(65) ? first_ : second_; }
  [[nodiscard]] int bytes() const { return bytes_; }

  // From now on the innermost loop goes from each element to the next.
  void keep_tidy() { is_tidy_ = true; }
  // An index for an element and `more` behind it.
  [[nodiscard]] std::string index(const View& view, const std::vector<Number>& variables,
                                  const std::vector<Number>& factors, int more = 0);
  // That elements before `end` are accessed.
  void reach(const View& view, int end) { bytes_ = std::max(bytes_, view.begin + end * view.bytes); }
  // A member, if the elements have some.
  [[nodiscard]] std::string member(const View& view);

 private:
  Dice& dice_;
  View first_;
  View second_;
  int bytes_ = 8;
  bool is_tidy_ = false;
};

}  // namespace anyorder::loops
