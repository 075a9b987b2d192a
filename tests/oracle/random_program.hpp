// Random programs of async, finish, futures and get, as values.
#pragma once

#include <random>

#include "program.hpp"

namespace anyorder::detect {

struct Shape {
  int statements = 12;
  int depth = 4;
  int bytes = 2;             // of memory
  bool wide = false;         // accesses of all sizes and alignments, and memory that is used again
  bool children_get = true;  // a task may get futures that were created before it; else only its own
};

class RandomProgram {
 public:
  RandomProgram(unsigned seed, const Shape& shape) : random_(seed), shape_(shape) {}

  Program make() {
    budget_ = shape_.statements;
    return body(0);
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

  Program body(int depth) {
    Program program;
    const int first_handle = handles_;
    while (budget_ > 0) {
      --budget_;
      program.push_back(statement(depth, first_handle));
      if (depth > 0 && below(4) == 0) break;
    }
    return program;
  }
  Statement statement(int depth, int first_handle) {
    switch (depth < shape_.depth ? below(9) : below(5)) {
      case 0:
      case 1:
        return access(Op::read);
      case 2:
        return access(Op::write);
      case 3:
      case 4: {
        const int first = shape_.children_get ? 0 : first_handle;
        return handles_ == first ? access(Op::read) : get(first + below(handles_ - first));
      }
      case 5:
        return async(body(depth + 1));
      case 6:
        return finish(body(depth + 1));
      default: {
        const int handle = handles_++;
        return future(handle, body(depth + 1));
      }
    }
  }
  Statement access(Op op) {
    if (!shape_.wide) return {op, below(shape_.bytes)};
    static constexpr int kSizes[] = {1, 2, 4, 8, 8, 16, 3, 40};
    const int bytes = kSizes[below(8)];
    if (below(20) == 0) op = Op::forget;
    return {op, below(shape_.bytes - bytes), {}, bytes};
  }

  std::mt19937 random_;  // the same numbers everywhere, unlike the standard distributions
  Shape shape_;
  int budget_ = 0;
  int handles_ = 0;
};

}  // namespace anyorder::detect
