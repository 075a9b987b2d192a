// A parallel reduction with isolated: which number below n takes the most Collatz steps to reach 1, and how
// many steps do all numbers take together? Each task works on a chunk with variables of its own and then
// folds its result into the shared one, inside an isolated section.
//
// Sections run one at a time, but in any order. The answer does not depend on that order because the folds
// commute: a sum does, and so does a maximum, as long as a tie is decided by the value and not by who came
// first.
#include <algorithm>
#include <cstdint>
#include <iostream>

#include <anyorder/anyorder.hpp>

#include "size_argument.hpp"

namespace ao = anyorder;

namespace {

constexpr int kChunk = 1000;

struct Longest {
  int start = 1;
  std::uint64_t steps = 0;

  // The longer one; of two that are equally long, the one with the smaller start.
  void fold(const Longest& other) {
    if (other.steps > steps || (other.steps == steps && other.start < start)) *this = other;
  }
  friend bool operator==(const Longest&, const Longest&) = default;
};

struct Answer {
  std::uint64_t total_steps = 0;
  Longest longest;

  friend bool operator==(const Answer&, const Answer&) = default;
};

std::uint64_t collatz_steps(int start) {
  std::uint64_t steps = 0;
  for (auto x = static_cast<std::uint64_t>(start); x != 1; ++steps) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
  return steps;
}

Answer answer_for(int begin, int end) {
  Answer answer;
  for (int start = begin; start < end; ++start) {
    const std::uint64_t steps = collatz_steps(start);
    answer.total_steps += steps;
    answer.longest.fold({start, steps});
  }
  return answer;
}

// The sum and the maximum are independent, so each section names the object it guards: a task that folds
// its sum does not keep another one from folding its maximum.
Answer answer_in_tasks(int end) {
  Answer answer;
  const int chunks = (end + kChunk - 1) / kChunk;
  ao::forall(0, chunks, [&answer, end](int chunk) {
    const Answer mine = answer_for(std::max(1, chunk * kChunk), std::min((chunk + 1) * kChunk, end));
    ao::isolated(&answer.total_steps, [&] { answer.total_steps += mine.total_steps; });
    ao::isolated(&answer.longest, [&] { answer.longest.fold(mine.longest); });
  });
  return answer;
}

}  // namespace

int main(int argc, char** argv) {
  const int end = size_argument(
      argc, argv,
      {"Finds the number below n with the longest Collatz sequence.", "n", 100'000, 2, 100'000'000});

  const Answer answer = answer_in_tasks(end);
  std::cout << "below " << end << ", " << answer.longest.start << " takes the most steps, "
            << answer.longest.steps << "; all together take " << answer.total_steps << '\n';

  const Answer expected = answer_for(1, end);
  if (answer != expected) {
    std::cerr << "wrong: one loop gives " << expected.longest.start << " with " << expected.longest.steps
              << " steps, " << expected.total_steps << " in all\n";
    return 1;
  }
  return 0;
}
