#include "small_programs.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace bench::explore {
namespace {

namespace ao = anyorder;

constexpr Column kNotMeasured{"-", "-", "-"};
constexpr const char* kSubsets =
    "tasks are told apart, so that every subset of those that have counted is a state; the paper's tool does "
    "not say "
    "which of its choices it counts";

bool is_prime(int n) {
  if (n < 2) return false;
  for (int i = 2; i * i <= n; ++i) {
    if (n % i == 0) return false;
  }
  return true;
}

// Parts of [0, size), one per task.
template <class Body>
void in_parts(std::size_t size, std::size_t tasks, const Body& body) {
  ao::finish([&] {
    for (std::size_t part = 0; part != tasks; ++part) {
      ao::async([&body, begin = part * size / tasks, end = (part + 1) * size / tasks] { body(begin, end); });
    }
  });
}

using Numbers = std::vector<int>;

Program primitive_array(bool races) {
  const auto values = std::make_shared<Numbers>();
  const auto run = [values, races] {
    values->assign(9, 0);
    Numbers& all = *values;
    // With the race each task also writes the first element of the next.
    in_parts(9, 3, [&all, races](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i != end + (races && end != all.size() ? 1 : 0); ++i)
        all[i] = static_cast<int>(i);
    });
  };
  const auto right = [values] { return std::accumulate(values->begin(), values->end(), 0) == 36; };
  if (races) {
    return {"Primitive Array Race", 3,   true, {"5", "00:00", "Y"}, {"5", "00:00", "Y"},
            {"220", "00:00", "Y"},  run, right};
  }
  return {"Primitive Array No Race", 3,   false, {"5", "00:00", "N"}, {"5", "00:00", "N"},
          {"11,852", "00:00", "N"},  run, right};
}

Program reciprocal_array_sum() {
  const auto sum = std::make_shared<double>();
  const auto run = [sum] {
    std::vector<double> values(100);
    std::iota(values.begin(), values.end(), 1.0);
    *sum = 0;
    double& total = *sum;
    in_parts(100, 2, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i != end; ++i) total += 1 / values[i];
    });
  };
  return {"Reciprocal Array Sum", 2, true, {"4", "00:08", "Y"}, {"32", "00:06", "Y"}, kNotMeasured, run,
          [] { return true; }};
}

Program two_dim_arrays() {
  const auto rows = std::make_shared<std::array<std::array<int, 11>, 11>>();
  const auto run = [rows] {
    auto& all = *rows;
    in_parts(11, 11, [&all](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i != end; ++i) {
        for (std::size_t j = 0; j != 11; ++j) all[i][j] = static_cast<int>(i * j);
      }
    });
  };
  const auto right = [rows] { return (*rows)[10][10] == 100 && (*rows)[3][7] == 21; };
  return {"Two Dim Arrays",       11,  false, {"15", "00:00", "N"}, {"15", "00:00", "N"},
          {"597", "00:00", "Y*"}, run, right};
}

Program forall_with_iterable() {
  const auto squares = std::make_shared<Numbers>();
  const auto run = [squares] {
    const std::array<int, 2> items{3, 4};
    squares->assign(items.size(), 0);
    Numbers& all = *squares;
    ao::forall(std::size_t{0}, items.size(), [&](std::size_t i) { all[i] = items[i] * items[i]; });
  };
  const auto right = [squares] { return *squares == Numbers{9, 16}; };
  return {"ForAll With Iterable", 2,   false, {"9", "00:00", "N"}, {"9", "00:00", "N"},
          kNotMeasured,           run, right};
}

Program integer_counter_isolated() {
  const auto counter = std::make_shared<int>();
  const auto run = [counter] {
    *counter = 0;
    int& count = *counter;
    ao::finish([&] {
      for (int i = 0; i != 10; ++i) ao::async([&count] { ao::isolated([&count] { ++count; }); });
    });
  };
  const auto right = [counter] { return *counter == 10; };
  return {"Integer Counter Isolated",
          10,
          false,
          {"24", "00:01", "N"},
          {"1,013,102", "05:53", "N"},
          kNotMeasured,
          run,
          right,
          kSubsets};
}

Program pipeline_with_futures() {
  const auto result = std::make_shared<int>();
  const auto run = [result] {
    ao::future<int> last = ao::async_future([] { return 1; });
    for (int stage = 2; stage <= 5; ++stage) {
      last = ao::async_future([before = last, stage] { return before.get() * stage; });
    }
    *result = last.get();
  };
  const auto right = [result] { return *result == 120; };
  return {"Pipeline With Futures",
          5,
          false,
          {"34", "00:00", "N"},
          {"34", "00:00", "N"},
          kNotMeasured,
          run,
          right};
}

enum class Loop { async, forall, forasync };

Program prime_num_counter(const char* name, Loop loop, int tasks, int primes, Column graphs,
                          Column permissions) {
  const auto counter = std::make_shared<int>();
  const auto run = [counter, loop, tasks] {
    *counter = 0;
    const auto look_at = [&count = *counter](int n) {
      if (is_prime(n)) ao::isolated([&count] { ++count; });
    };
    switch (loop) {
      case Loop::async:
        ao::finish([&] {
          for (int n = 1; n <= tasks; ++n) ao::async([look_at, n] { look_at(n); });
        });
        break;
      case Loop::forall:
        ao::forall(1, tasks + 1, look_at);
        break;
      case Loop::forasync:
        ao::finish([&] { ao::forasync(1, tasks + 1, look_at); });
        break;
    }
  };
  const auto right = [counter, primes] { return *counter == primes; };
  return {name, tasks, false, graphs, permissions, kNotMeasured, run, right, kSubsets};
}

// Each element of `to` from those of two others, in parts.
template <class Combine>
Program of_vectors(const char* name, Column graphs, Column permissions, Column precise,
                   const Combine& combine) {
  const auto to = std::make_shared<Numbers>();
  const auto run = [to, combine] {
    Numbers a(30);
    Numbers b(30);
    std::iota(a.begin(), a.end(), 1);
    std::iota(b.begin(), b.end(), 2);
    to->assign(30, 0);
    Numbers& result = *to;
    in_parts(30, 3, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i != end; ++i) result[i] = combine(a[i], b[i]);
    });
  };
  const auto right = [to, combine] {
    for (int i = 0; i != 30; ++i) {
      if ((*to)[static_cast<std::size_t>(i)] != combine(i + 1, i + 2)) return false;
    }
    return true;
  };
  return {name, 3, false, graphs, permissions, precise, run, right};
}

Program clumped_access() {
  const auto values = std::make_shared<Numbers>();
  const auto run = [values] {
    values->assign(300, 0);
    Numbers& all = *values;
    in_parts(300, 3, [&all](std::size_t begin, std::size_t end) {
      for (int round = 0; round != 10; ++round) {
        for (std::size_t i = begin; i != end; ++i) all[i] += round;
      }
    });
  };
  const auto right = [values] { return std::accumulate(values->begin(), values->end(), 0) == 300 * 45; };
  return {"Clumped Access", 3, false, {"5", "00:03", "N"}, {"15", "00:00", "N"}, kNotMeasured, run, right};
}

}  // namespace

std::vector<Program> small_programs() {
  std::vector<Program> all;
  all.push_back(primitive_array(true));
  all.push_back(reciprocal_array_sum());
  all.push_back(primitive_array(false));
  all.push_back(two_dim_arrays());
  all.push_back(forall_with_iterable());
  all.push_back(integer_counter_isolated());
  all.push_back(pipeline_with_futures());
  all.push_back(prime_num_counter("Prime Num Counter", Loop::async, 25, 9, {"776", "00:01", "N"},
                                  {"3,542,569", "17:37", "N"}));
  all.push_back(prime_num_counter("Prime Num Counter ForAll", Loop::forall, 25, 9, {"30", "00:02", "N"},
                                  {"18", "00:01", "N"}));
  all.push_back(prime_num_counter("Prime Num Counter ForAsync", Loop::forasync, 11, 5, {"653", "00:01", "N"},
                                  {"2,528,064", "15:44", "N"}));
  all.push_back(of_vectors("Add", {"11", "00:01", "N"}, {"62,374", "00:33", "N"}, {"4930", "00:03", "Y*"},
                           [](int a, int b) { return a + b; }));
  all.push_back(of_vectors("Scalar Multiply", {"15", "00:01", "N"}, {"55,712", "00:30", "N"},
                           {"826", "00:01", "Y*"}, [](int a, int /*b*/) { return 7 * a; }));
  all.push_back(of_vectors("Vector Add", {"5", "00:00", "N"}, {"17", "00:00", "N"}, {"46,394", "00:19", "N"},
                           [](int a, int b) { return a + b; }));
  all.push_back(clumped_access());
  return all;
}

std::vector<Program> programs() {
  std::vector<Program> all = small_programs();
  for (Program& large : large_programs()) all.push_back(std::move(large));
  return all;
}

}  // namespace bench::explore
