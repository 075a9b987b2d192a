// Random programs of async, finish, futures and get, or of async and finish alone, as values.
//
// A task waits for futures that it knows: those its creator knew when it created the task, those it created
// itself, and what was known to tasks that it waited for when they ended. With leaks, for any at times.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <set>

#include "program.hpp"

namespace anyorder::detect {

struct Shape {
  int statements = 12;
  int depth = 4;
  int bytes = 2;      // of memory
  bool wide = false;  // accesses of all sizes and alignments, and memory that is used again
  int leaks = 0;      // gets of any future, in percent of all
  int in_a_row = 1;   // accesses that one task makes one after the other, at most
  bool futures = true;
  int rare_writes = 1;  // one in so many stays a write, the others read
  bool forgets = true;  // with wide
  bool ranges = false;  // with wide: half of the accesses are of any length, up to all of the memory
  bool loops = false;   // with wide: half of the accesses are made many times, one behind the other
  int objects = 0;      // whose references are dropped, and which are destroyed
};

class RandomProgram {
 public:
  RandomProgram(unsigned seed, const Shape& shape) : random_(seed), shape_(shape) {}

  Program make() {
    budget_ = shape_.statements;
    Handles known;
    Handles of_finish;
    return body(0, known, of_finish);
  }

 private:
  using Handles = std::set<int>;

  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

  // `known` to the task, and to the tasks of the innermost finish that have ended.
  Program body(int depth, Handles& known, Handles& of_finish) {
    Program program;
    while (budget_ > 0) {
      --budget_;
      program.push_back(statement(depth, known, of_finish));
      if (is_access(program.back())) {
        for (int more = below(shape_.in_a_row); more > 0; --more) program.push_back(access_of_any_kind());
      }
      if (depth > 0 && below(4) == 0) break;
    }
    return program;
  }
  Statement statement(int depth, Handles& known, Handles& of_finish) {
    switch (depth < shape_.depth ? below(9) : below(5)) {
      case 0:
      case 1:
        return access(Op::read);
      case 2:
        return access(Op::write);
      case 3:
      case 4:
        return a_get(known);
      case 5: {
        Handles of_child = known;
        Statement made = async(body(depth + 1, of_child, of_finish));
        of_finish.insert(of_child.begin(), of_child.end());
        return made;
      }
      case 6: {
        Handles of_inner;
        Statement made = finish(body(depth + 1, known, of_inner));
        known.insert(of_inner.begin(), of_inner.end());
        return made;
      }
      default: {
        if (!shape_.futures) return async(body(depth + 1, known, of_finish));
        Handles of_child = known;
        Program inner = body(depth + 1, of_child, of_finish);
        const int handle = handles_++;
        of_finish.insert(of_child.begin(), of_child.end());
        known_at_end_[handle] = std::move(of_child);
        known.insert(handle);
        of_finish.insert(handle);  // its creator ends before the finish does, too
        return future(handle, std::move(inner));
      }
    }
  }
  Statement a_get(Handles& known) {
    const bool leak = below(100) < shape_.leaks;
    if (leak ? handles_ == 0 : known.empty()) return access(Op::read);
    const int handle =
        leak ? below(handles_) : *std::next(known.begin(), below(static_cast<int>(known.size())));
    known.insert(known_at_end_[handle].begin(), known_at_end_[handle].end());
    return get(handle);
  }
  static bool is_access(const Statement& statement) {
    return statement.op == Op::read || statement.op == Op::write;
  }
  Statement access_of_any_kind() { return access(below(3) == 0 ? Op::write : Op::read); }
  Statement access(Op op) {
    if (shape_.objects > 0) {
      const int dice = below(8);
      if (dice < 2) return drop(below(shape_.objects));
      if (dice == 2) return destroy(below(shape_.objects));
    }
    if (op == Op::write && shape_.rare_writes > 1 && below(shape_.rare_writes) != 0) op = Op::read;
    if (!shape_.wide) return {op, below(shape_.bytes)};
    static constexpr int kSizes[] = {1, 2, 4, 8, 8, 16, 3, 40};
    const int bytes =
        shape_.ranges && below(2) == 0 ? 1 + below(1 + below(shape_.bytes - 1)) : kSizes[below(8)];
    if (below(20) == 0 && shape_.forgets) op = Op::forget;
    int at = below(shape_.bytes - bytes);
    // As compilers place most data.
    if (below(4) != 0 && (bytes & (bytes - 1)) == 0) at -= at % bytes;
    Statement made{op, at, {}, bytes};
    if (shape_.loops && op != Op::forget && bytes <= 16 && below(2) == 0) {
      made.times += below(std::min(24, (shape_.bytes - at) / bytes));
    }
    return made;
  }

  std::mt19937 random_;  // the same numbers everywhere, unlike the standard distributions
  Shape shape_;
  int budget_ = 0;
  int handles_ = 0;
  std::map<int, Handles> known_at_end_;
};

}  // namespace anyorder::detect
