// What a task, a future, a loop, an isolated section and a suspended get cost, next to the same on oneTBB.
// README.md says what each line means.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <mutex>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task.h>
#include <oneapi/tbb/task_group.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <anyorder/anyorder.hpp>

#include "comparison/comparison.hpp"

namespace {

namespace ao = anyorder;
using bench::Comparison;
using bench::Figure;
using bench::Runs;
using bench::Sizes;
using std::uint64_t;

// Fibonacci numbers: the work of a task is next to nothing. With one child, a call is a task and a plain
// call; with two, it is two tasks.

uint64_t fib(unsigned n) {
  uint64_t a = 0;
  uint64_t b = 1;
  for (; n != 0; --n) a = std::exchange(b, a + b);
  return a;
}
double calls_that_fork(unsigned n) { return static_cast<double>(fib(n + 1) - 1); }

template <int kChildren>
uint64_t fib_async(unsigned n) {
  if (n < 2) return n;
  uint64_t a = 0;
  uint64_t b = 0;
  ao::finish([&] {
    ao::async([&] { a = fib_async<kChildren>(n - 1); });
    if constexpr (kChildren == 2) {
      ao::async([&] { b = fib_async<kChildren>(n - 2); });
    } else {
      b = fib_async<kChildren>(n - 2);
    }
  });
  return a + b;
}

template <int kChildren>
uint64_t fib_future(unsigned n) {
  if (n < 2) return n;
  const ao::future<uint64_t> a = ao::async_future([=] { return fib_future<kChildren>(n - 1); });
  if constexpr (kChildren == 2) {
    const ao::future<uint64_t> b = ao::async_future([=] { return fib_future<kChildren>(n - 2); });
    return b.get() + a.get();
  } else {
    const uint64_t b = fib_future<kChildren>(n - 2);
    return a.get() + b;
  }
}

template <int kChildren>
uint64_t fib_task_group(unsigned n) {
  if (n < 2) return n;
  uint64_t a = 0;
  uint64_t b = 0;
  tbb::task_group group;
  group.run([&] { a = fib_task_group<kChildren>(n - 1); });
  if constexpr (kChildren == 2) {
    group.run([&] { b = fib_task_group<kChildren>(n - 2); });
  } else {
    b = fib_task_group<kChildren>(n - 2);
  }
  group.wait();
  return a + b;
}

template <int kChildren>
void add_fib(std::vector<Comparison>& all, unsigned n) {
  const std::string form = kChildren == 1 ? "one_child" : "two_children";
  const double tasks = calls_that_fork(n) * kChildren;
  const bench::Side async{"async and finish", Runs::on_anyorder, [n] { return fib_async<kChildren>(n); }};
  all.push_back(
      {.name = "fib/" + form + "/async_over_task_group",
       .unit = "task",
       .units = tasks,
       .result = fib(n),
       .measured = async,
       .reference = {"tbb::task_group", Runs::on_onetbb, [n] { return fib_task_group<kChildren>(n); }},
       .most_times = 1.25});
  all.push_back({.name = "fib/" + form + "/future_over_async",
                 .unit = "task",
                 .units = tasks,
                 .result = fib(n),
                 .measured = {"async_future and get", Runs::on_anyorder,
                              [n] { return ao::finish([n] { return fib_future<kChildren>(n); }); }},
                 .reference = async,
                 .most_times = 2.0});
}

// Loops. A body that does nothing lets the compiler delete the loops inside, and leaves what it costs to
// share the range out. One that the compiler cannot see through leaves the cost of calling it, as well.

struct Empty {
  void operator()(int /*i*/) const noexcept {}
};
struct Opaque {
  void operator()(int i) const noexcept { benchmark::DoNotOptimize(i); }
};

// Whether both loops run each index once.
bool loops_are_right(int n) {
  std::vector<unsigned char> times(static_cast<std::size_t>(n));
  const auto count = [&](int i) { ++times[static_cast<std::size_t>(i)]; };
  ao::forall(0, n, count);
  tbb::parallel_for(0, n, count);
  return std::all_of(times.begin(), times.end(), [](unsigned char t) { return t == 2; });
}

template <class Body>
void add_loop(std::vector<Comparison>& all, const std::string& form, int n, int loops) {
  const auto result = static_cast<uint64_t>(loops);
  all.push_back({.name = "forall/" + form + "/over_parallel_for",
                 .unit = "loop",
                 .units = static_cast<double>(loops),
                 .result = result,
                 .measured = {"forall", Runs::on_anyorder,
                              [=] {
                                for (int i = 0; i != loops; ++i) ao::forall(0, n, Body{});
                                return result;
                              }},
                 .reference = {"tbb::parallel_for", Runs::on_onetbb,
                               [=] {
                                 for (int i = 0; i != loops; ++i) tbb::parallel_for(0, n, Body{});
                                 return result;
                               }},
                 .most_times = 1.25,
                 .check = [n] { return loops_are_right(n); }});
}

// Isolated sections around one addition, next to a std::mutex. In the loops, with two workers, they contend.

template <class Increment>
uint64_t count_in_one_task(int n, Increment increment) {
  uint64_t counter = 0;
  for (int i = 0; i != n; ++i) increment(counter);
  return counter;
}

void add_isolated(std::vector<Comparison>& all, int n) {
  static std::mutex mutex;
  const auto isolated = [](uint64_t& counter) { ao::isolated([&] { ++counter; }); };
  const auto on_object = [](uint64_t& counter) { ao::isolated(&counter, [&] { ++counter; }); };
  const auto locked = [](uint64_t& counter) {
    const std::lock_guard lock(mutex);
    ++counter;
  };
  const auto add = [&](const char* form, auto section) {
    all.push_back(
        {.name = std::string("isolated/") + form + "/in_one_task_over_mutex",
         .unit = "section",
         .units = static_cast<double>(n),
         .result = static_cast<uint64_t>(n),
         .measured = {form, Runs::on_anyorder, [=] { return count_in_one_task(n, section); }},
         .reference = {"std::mutex", Runs::on_neither, [=] { return count_in_one_task(n, locked); }}});
    all.push_back({.name = std::string("isolated/") + form + "/in_a_loop_over_mutex",
                   .unit = "section",
                   .units = static_cast<double>(n),
                   .result = static_cast<uint64_t>(n),
                   .measured = {form, Runs::on_anyorder,
                                [=] {
                                  uint64_t counter = 0;
                                  ao::forall(0, n, [&](int) { section(counter); });
                                  return counter;
                                }},
                   .reference = {"forall with a std::mutex", Runs::on_anyorder, [=] {
                                   uint64_t counter = 0;
                                   ao::forall(0, n, [&](int) { locked(counter); });
                                   return counter;
                                 }}});
  };
  add("all", isolated);
  add("object", on_object);
}

// Suspended gets. A thread outside the pool holds what all the tasks of a round wait for, until the last one
// is about to wait. On oneTBB it resumes their suspend points instead.

class Holder {
 public:
  explicit Holder(std::function<void()> round) : round_(std::move(round)), thread_([this] { serve(); }) {}
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() {
    command_.store(-1, std::memory_order_release);
    thread_.join();
  }
  void start() noexcept { command_.store(++started_, std::memory_order_release); }

 private:
  void serve() {
    for (int seen = 0;;) {
      const int command = command_.load(std::memory_order_acquire);
      if (command == -1) return;
      if (command == seen) {
        std::this_thread::yield();
      } else {
        round_();
        seen = command;
      }
    }
  }
  std::function<void()> round_;
  int started_ = 0;
  std::atomic<int> command_{0};
  std::thread thread_;
};

void wait_until(const std::atomic<int>& value, int wanted) {
  while (value.load(std::memory_order_acquire) != wanted) std::this_thread::yield();
}

uint64_t suspended_gets(int rounds, int at_once) {
  std::atomic<int> held{0};
  std::atomic<int> waiting{0};
  ao::future<int> slow;
  Holder holder([&] { slow.get(); });
  std::atomic<uint64_t> sum{0};
  for (int round = 0; round != rounds; ++round) {
    held.store(0, std::memory_order_relaxed);
    waiting.store(0, std::memory_order_relaxed);
    ao::finish([&] {
      slow = ao::async_future([&] {
        held.store(1, std::memory_order_release);
        wait_until(waiting, at_once);
        return 1;
      });
      holder.start();
      wait_until(held, 1);
      for (int i = 0; i != at_once; ++i) {
        ao::async([&] {
          waiting.fetch_add(1, std::memory_order_acq_rel);
          sum.fetch_add(static_cast<uint64_t>(slow.get()), std::memory_order_relaxed);
        });
      }
    });
  }
  return sum.load();
}

uint64_t suspended_tasks(int rounds, int at_once) {
  std::vector<tbb::task::suspend_point> points(static_cast<std::size_t>(at_once));
  std::atomic<int> held{0};
  std::atomic<int> waiting{0};
  Holder holder([&] {
    held.store(1, std::memory_order_release);
    wait_until(waiting, at_once);
    for (const tbb::task::suspend_point point : points) tbb::task::resume(point);
  });
  std::atomic<uint64_t> sum{0};
  for (int round = 0; round != rounds; ++round) {
    held.store(0, std::memory_order_relaxed);
    waiting.store(0, std::memory_order_relaxed);
    tbb::task_group group;
    holder.start();
    wait_until(held, 1);
    for (int i = 0; i != at_once; ++i) {
      group.run([&, i] {
        tbb::task::suspend([&](tbb::task::suspend_point point) {
          points[static_cast<std::size_t>(i)] = point;
          waiting.fetch_add(1, std::memory_order_acq_rel);
        });
        sum.fetch_add(1, std::memory_order_relaxed);
      });
    }
    group.wait();
  }
  return sum.load();
}

void add_suspended(std::vector<Comparison>& all, int rounds, int at_once) {
  all.push_back({.name = "suspended_get/" + std::to_string(at_once) + "_at_once/over_task_suspend",
                 .unit = "get",
                 .units = static_cast<double>(rounds) * at_once,
                 .result = static_cast<uint64_t>(rounds) * static_cast<uint64_t>(at_once),
                 .measured = {"get", Runs::on_anyorder, [=] { return suspended_gets(rounds, at_once); }},
                 .reference = {"tbb::task::suspend", Runs::on_onetbb,
                               [=] { return suspended_tasks(rounds, at_once); }}});
}

std::vector<Comparison> comparisons(Sizes sizes) {
  std::vector<Comparison> all;
  const unsigned n = sizes.pick(25U, 12U);
  add_fib<1>(all, n);
  add_fib<2>(all, n);
  const int indexes = sizes.pick(10'000'000, 10'000);
  add_loop<Empty>(all, "empty", indexes, sizes.pick(2000, 2));
  add_loop<Opaque>(all, "opaque", indexes, sizes.pick(5, 1));
  add_isolated(all, sizes.pick(200'000, 100));
  add_suspended(all, sizes.pick(500, 2), 8);
  add_suspended(all, sizes.pick(5, 1), sizes.pick(900, 100));
  return all;
}

// Bytes of live futures.

struct Memory {
  double allocated;  // by malloc and not freed, its own overhead included
  double resident;
};

Memory memory_now() {
  const struct mallinfo2 info = mallinfo2();
  long total = 0;
  long resident = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr || std::fscanf(file, "%ld %ld", &total, &resident) != 2) std::abort();
  std::fclose(file);
  return {static_cast<double>(info.uordblks + info.hblkhd),
          static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE))};
}

// One worker, so that nothing runs before the finish ends. The handles' own array is not counted.
std::vector<Figure> live_futures(Sizes sizes) {
  constexpr double kMostBytes = 200;
  const int n = sizes.pick(1'000'000, 1000);
  ao::configure({.workers = 1});
  ao::finish([] { ao::async([] {}); });
  std::vector<ao::future<int>> handles(static_cast<std::size_t>(n));
  const Memory before = memory_now();
  Memory queued{};
  ao::finish([&] {
    for (int i = 0; i != n; ++i) {
      handles[static_cast<std::size_t>(i)] = ao::async_future([i] { return i; });
    }
    queued = memory_now();
    if (std::any_of(handles.begin(), handles.end(), [](const auto& f) { return f.ready(); })) std::abort();
  });
  const Memory ended = memory_now();
  for (int i = 0; i != n; ++i) {
    if (handles[static_cast<std::size_t>(i)].get() != i) {
      std::printf("live futures: a wrong result\n");
      std::exit(1);
    }
  }
  const std::string what = "bytes per live future of an int, ";
  return {{what + "not started, malloc", "bytes", (queued.allocated - before.allocated) / n, kMostBytes},
          {what + "not started, resident", "bytes", (queued.resident - before.resident) / n, kMostBytes},
          {what + "ended, malloc", "bytes", (ended.allocated - before.allocated) / n, kMostBytes},
          {what + "ended, resident", "bytes", (ended.resident - before.resident) / n, kMostBytes},
          {"bytes of a handle, not in the above", "bytes", static_cast<double>(sizeof(ao::future<int>)), {}}};
}

}  // namespace

int main(int argc, char** argv) { return bench::run(argc, argv, &live_futures, &comparisons); }
