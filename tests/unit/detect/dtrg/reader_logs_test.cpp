// Random readers that come to random locations, against a plain list of readers for each location.
#include "detect/dtrg/reader_logs.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace anyorder::detect::dtrg {
namespace {

struct Shape {
  unsigned locations;
  unsigned tasks;
  unsigned sites;
  bool in_sequence;  // tasks come one after the other, as they do in a serial run
};

class RandomReaders {
 public:
  RandomReaders(unsigned seed, const Shape& shape) : random_(seed), shape_(shape), at_(shape.locations) {}

  void step() {
    if (shape_.in_sequence && below(4) == 0) ++task_;
    if (!shape_.in_sequence) task_ = below(shape_.tasks);
    const Reader reader{task_, 1 + below(shape_.sites)};
    // Mostly a few locations in sequence, as in an array.
    const unsigned first = below(shape_.locations);
    const unsigned last = std::min(first + 1 + below(6), shape_.locations);
    for (unsigned i = first; i != last; ++i) read(at_[i], reader);
    const unsigned dice = below(60);
    if (dice == 0) at_[below(shape_.locations)] = {};
    if (dice == 1) collect();
    if (!testing::Test::HasFailure()) compare(at_[below(shape_.locations)]);
  }
  void compare_all() {
    for (const Location& location : at_) compare(location);
  }
  [[nodiscard]] std::size_t log_count() const { return logs_.count(); }

 private:
  struct Location {
    std::vector<Reader> model;
    LogPrefix log{};  // from the second reader on
  };

  unsigned below(std::size_t bound) { return static_cast<unsigned>(random_() % bound); }
  static bool is_in(const std::vector<Reader>& readers, TaskId task) {
    return std::any_of(readers.begin(), readers.end(),
                       [&](const Reader& known) { return known.task == task; });
  }

  void read(Location& location, Reader reader) {
    if (is_in(location.model, reader.task)) return;
    location.model.push_back(reader);
    if (location.model.size() < 2) return;
    if (location.model.size() == 2) {
      location.log = logs_.of(location.model);
      return;
    }
    LogPrefix extended = location.log;
    if (below(2) == 0 && logs_.extend(extended, reader)) {
      location.log = extended;
    } else {
      ASSERT_EQ(extended, location.log);  // nothing was done
      location.log = logs_.with(location.log, reader);
    }
  }
  void compare(const Location& location) {
    if (location.model.size() < 2) return;
    std::vector<Reader> kept;
    logs_.for_each(location.log, [&](const Reader& reader) { kept.push_back(reader); });
    ASSERT_EQ(kept, location.model);
    ASSERT_EQ(logs_.count_of(location.log), location.model.size());
    ASSERT_EQ(location.log.newest, location.model.back().task);
    for (int i = 0; i != 8; ++i) {
      const TaskId task = below(shape_.in_sequence ? task_ + 2 : shape_.tasks + 2);
      ASSERT_EQ(logs_.contains(location.log, task), is_in(location.model, task)) << "task " << task;
    }
  }
  void collect() {
    logs_.begin_collection();
    std::size_t used = 0;
    for (const Location& location : at_) {
      if (location.model.size() < 2) continue;
      logs_.keep(location.log);
      ++used;
    }
    logs_.end_collection();
    if (used == 0) {
      ASSERT_EQ(logs_.count(), 0U);
    }
  }

  std::mt19937 random_;
  Shape shape_;
  ReaderLogs logs_;
  std::vector<Location> at_;
  TaskId task_ = 0;
};

void compare_many(const Shape& shape, unsigned seeds, int steps) {
  for (unsigned seed = 0; seed != seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomReaders readers(seed, shape);
    for (int i = 0; i != steps && !testing::Test::HasFailure(); ++i) readers.step();
    if (!testing::Test::HasFailure()) readers.compare_all();
    EXPECT_GT(readers.log_count(), 0U);
  }
}

TEST(ReaderLogs, AreTheReadersOfEachLocationInTheirOrder) {
  compare_many({.locations = 20, .tasks = 30, .sites = 3, .in_sequence = false}, 40, 400);
}
TEST(ReaderLogs, AreSoForTasksInSequence) {
  compare_many({.locations = 12, .tasks = 0, .sites = 2, .in_sequence = true}, 40, 600);
}
TEST(ReaderLogs, AreSoForOneSite) {
  compare_many({.locations = 6, .tasks = 0, .sites = 1, .in_sequence = true}, 40, 400);
}
TEST(ReaderLogs, AreSoForFewTasksInAnyOrder) {
  compare_many({.locations = 40, .tasks = 5, .sites = 2, .in_sequence = false}, 40, 400);
}

// A prefix is what it was, whatever the others that share its log do.
TEST(ReaderLogs, APrefixStays) {
  ReaderLogs logs;
  const LogPrefix two = logs.of({{1, 1}, {2, 1}});
  const LogPrefix three = logs.with(two, {3, 1});
  const LogPrefix fork = logs.with(two, {7, 1});
  EXPECT_EQ(three.log, two.log);
  EXPECT_NE(fork.log, two.log);
  EXPECT_EQ(logs.with(two, {7, 1}), fork);  // found again
  EXPECT_EQ(logs.count_of(two), 2U);
  EXPECT_TRUE(logs.contains(three, 3));
  EXPECT_FALSE(logs.contains(two, 3));
  EXPECT_FALSE(logs.contains(fork, 3));
  EXPECT_EQ(logs.count(), 2U);
}

}  // namespace
}  // namespace anyorder::detect::dtrg
