// Races and what the tool advises: each case runs as it is and with the advice taken.
//
//   cases <case> racy     has the race that is marked
//   cases <case> fixed    is clean
//
// A mark `// <case>: <kind>` stands on the line that the advice names: that of the creation, of both updates
// for `isolated`. `fixed` is the edit.
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

namespace {

int x;
int y;
int seen;
std::vector<int> list(64);
bool fixed = false;

// Runs f, in a finish if the case is to be fixed by one.
template <class F>
void finish_if_fixed(F f) {
  if (fixed) {
    ao::finish(f);
  } else {
    f();
  }
}

void parent_goes_on() {
  finish_if_fixed([] {
    ao::async([] { x = 1; });  // parent_goes_on: finish
  });
  seen = x;
}

void two_writers() {
  finish_if_fixed([] {
    ao::async([] { x = 1; });  // two_writers: finish
  });
  ao::async([] { x = 2; });
}

void loop_then_use() {
  finish_if_fixed([] {
    ao::forasync(0, 64, [](int i) { list[i] = i; });  // loop_then_use: finish
  });
  for (const int element : list) seen += element;
}

void two_loops() {
  finish_if_fixed([] {
    ao::forasync(0, 64, [](int i) { list[i] = i; });  // two_loops: finish
  });
  ao::forasync(0, 64, [](int i) { list[i] += 1; });
}

void no_get() {
  const auto filled = ao::async_future([] { x = 1; });  // no_get: get
  if (fixed) filled.get();
  seen = x;
}

void get_too_late() {
  const auto filled = ao::async_future([] { x = 1; });  // get_too_late: get
  if (fixed) filled.get();
  seen = x;
  filled.get();
}

void no_get_by_sibling() {
  const auto filled = ao::async_future([] { x = 1; });  // no_get_by_sibling: get
  ao::async([filled] {
    if (fixed) filled.get();
    seen = x;
  });
}

void no_get_of_a_loop() {
  const auto filled = ao::async_future([] {  // no_get_of_a_loop: get
    ao::forall(0, 64, [](int i) { list[i] = i; });
  });
  ao::async([filled] {
    if (fixed) filled.get();
    for (const int element : list) seen += element;
  });
}

void pipeline() {
  ao::future<void> before;
  for (int i = 0; i < 4; ++i) {
    before = ao::async_future([before] {  // pipeline: get
      if (fixed && before.valid()) before.get();
      x = 2 * x + 1;
    });
  }
}

void one_of_many() {
  std::vector<ao::future<int>> parts;
  for (int i = 0; i < 4; ++i) {
    parts.push_back(ao::async_future([i] { return list[i] = i; }));  // one_of_many: get
  }
  for (int i = 0; i < (fixed ? 4 : 3); ++i) parts[i].get();
  for (int i = 0; i < 4; ++i) seen += list[i];
}

void diamond() {
  const auto left = ao::async_future([] { x = 1; });
  const auto right = ao::async_future([] { y = 1; });  // diamond: get
  ao::async([left, right] {
    left.get();
    if (fixed) right.get();
    seen = x + y;
  });
}

void child_of_future() {
  const auto made = ao::async_future([] {
    finish_if_fixed([] {
      ao::async([] { x = 1; });  // child_of_future: finish inside
    });
  });
  made.get();
  seen = x;
}

void loop_of_future() {
  const auto made = ao::async_future([] {
    finish_if_fixed([] {
      ao::forasync(0, 64, [](int i) { list[i] = i; });  // loop_of_future: finish inside
    });
  });
  made.get();
  for (const int element : list) seen += element;
}

void grandchild() {
  finish_if_fixed([] {
    ao::async([] {  // grandchild: finish
      ao::async([] { x = 1; });
    });
  });
  ao::async([] { seen = x; });
}

void nested_finish_of_another() {
  finish_if_fixed([] {
    ao::async([] { x = 1; });  // nested_finish_of_another: finish
  });
  ao::finish([] { ao::async([] { seen = x; }); });
}

void recursion(int from, int to) {
  if (to - from < 8) {
    for (int i = from; i < to; ++i) list[i] = i;
    return;
  }
  const int middle = (from + to) / 2;
  finish_if_fixed([=] {
    ao::async([=] { recursion(from, middle); });  // recursion: finish
    recursion(middle, to);
  });
  list[from] += list[to - 1];
}

void counter() {
  ao::forall(0, 16, [](int /*i*/) {
    const auto update = [] { ++x; };  // counter: isolated
    if (fixed) {
      ao::isolated(update);
    } else {
      update();
    }
  });
}

void two_counters() {
  const auto add = [](auto f) { fixed ? ao::isolated(f) : f(); };
  ao::async([add] {
    add([] { x += 2; });  // two_counters: isolated
  });
  ao::async([add] {
    add([] { x += 3; });  // two_counters: isolated
  });
}

void append() {
  static std::vector<int> all;
  ao::forall(0, 8, [](int i) {
    const auto update = [i] { all.push_back(i); };  // append: isolated
    if (fixed) {
      ao::isolated(update);
    } else {
      update();
    }
  });
}

void map_of_counts() {
  static std::map<int, int> counts;
  ao::forall(0, 8, [](int i) {
    const auto update = [i] { counts[i % 3] += 1; };  // map_of_counts: isolated
    if (fixed) {
      ao::isolated(update);
    } else {
      update();
    }
  });
}

void handle_dropped() {
  auto block = std::make_unique<int>(0);
  int* const pointer = block.get();
  finish_if_fixed([pointer] {
    ao::async([pointer] { *pointer = 1; });  // handle_dropped: finish
  });
  seen = *block;
}

void neighbours() {
  ao::forall(0, 63, [](int i) {  // neighbours: none
    if (fixed) return;
    list[i] = list[i + 1];
  });
}

const std::map<std::string, void (*)()> kCases{
    {"parent_goes_on", parent_goes_on},
    {"two_writers", two_writers},
    {"loop_then_use", loop_then_use},
    {"two_loops", two_loops},
    {"no_get", no_get},
    {"get_too_late", get_too_late},
    {"no_get_by_sibling", no_get_by_sibling},
    {"no_get_of_a_loop", no_get_of_a_loop},
    {"pipeline", pipeline},
    {"one_of_many", one_of_many},
    {"diamond", diamond},
    {"child_of_future", child_of_future},
    {"loop_of_future", loop_of_future},
    {"grandchild", grandchild},
    {"nested_finish_of_another", nested_finish_of_another},
    {"recursion", [] { recursion(0, 64); }},
    {"counter", counter},
    {"two_counters", two_counters},
    {"append", append},
    {"map_of_counts", map_of_counts},
    {"handle_dropped", handle_dropped},
    {"neighbours", neighbours},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || !kCases.contains(argv[1])) {
    std::fputs("usage: cases <case> racy|fixed\n", stderr);
    return 64;
  }
  fixed = std::string(argv[2]) == "fixed";
  ao::finish([&] { kCases.at(argv[1])(); });
  std::printf("%d\n", seen);
}
