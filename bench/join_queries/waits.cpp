// A line of tasks: the first one waits for something outside, and each other one gets the task before. All of
// them have begun before the first one ends, so that none is run by the one that gets it: all gets stand
// still.
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <vector>

#include <anyorder/anyorder.hpp>

#include "comparison/statistics.hpp"
#include "join_queries/parts.hpp"
#include "queries/clock.hpp"

namespace bench {
namespace {

namespace ao = anyorder;

// How many have begun; and whether the first one may end.
class Gate {
 public:
  explicit Gate(std::size_t tasks) : tasks_(tasks) {}

  void begin() {
    const std::size_t begun = begun_.fetch_add(1) + 1;
    if (begun != 1 && begun != tasks_) return;
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
  // One, or all.
  void wait_for_begun(std::size_t tasks) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_ >= tasks; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait_until_open() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::size_t tasks_;
  std::atomic<std::size_t> begun_{0};
  bool open_ = false;
};

// Nanoseconds per task. Three workers: one that waits outside, the one that creates tasks, and one that
// begins them, in the order of their creation.
double time_of_line(std::size_t tasks, ao::join_policy policy) {
  ao::configure({.workers = 3, .joins = policy});
  Gate gate(tasks);
  ao::future<std::size_t> last = ao::async_future([&gate] {
    gate.begin();
    gate.wait_until_open();
    return std::size_t{1};
  });
  gate.wait_for_begun(1);
  const double begin = processor_ns();
  for (std::size_t i = 1; i != tasks; ++i) {
    last = ao::async_future([&gate, before = last] {
      gate.begin();
      return before.get() + 1;
    });
  }
  gate.wait_for_begun(tasks);
  gate.open();
  const bool right = last.get() == tasks;
  const double took = processor_ns() - begin;
  if (!right) throw std::runtime_error("a line of tasks has lost one");
  return took / static_cast<double>(tasks);
}

struct Way {
  const char* name;
  ao::join_policy policy;
};
// The first is what ratios are to.
constexpr std::array kWays = {Way{"off", ao::join_policy::off}, Way{"known", ao::join_policy::known},
                              Way{"cycle", ao::join_policy::cycle}};

struct Samples {
  std::vector<double> ns;
  std::vector<double> ratios;
};

// One round of all ways, each time beginning with another one.
void add_round(std::size_t round, std::size_t tasks, std::array<Samples, kWays.size()>& samples) {
  for (std::size_t turn = 0; turn != kWays.size(); ++turn) {
    const std::size_t way = (round + turn) % kWays.size();
    samples[way].ns.push_back(time_of_line(tasks, kWays[way].policy));
  }
  for (Samples& of_way : samples) of_way.ratios.push_back(of_way.ns.back() / samples.front().ns.back());
}

}  // namespace

std::vector<Table> measure_waits(bool smoke) {
  const std::size_t rounds = smoke ? 1 : 31;
  Table table{.title = "A line of tasks, each of which stands still for the one before; ratio: to off",
              .columns = {"tasks", "ns_per_task", "ratio", "low", "high"}};
  // Not 1,000: with that many no further task is begun.
  for (const std::size_t tasks : {30U, 100U, 300U, 900U}) {
    std::array<Samples, kWays.size()> samples;
    for (std::size_t round = 0; round != rounds; ++round) add_round(round, tasks, samples);
    for (std::size_t way = 0; way != kWays.size(); ++way) {
      const Interval ratio = interval_of(samples[way].ratios);
      table.rows.push_back({kWays[way].name,
                            {static_cast<double>(tasks), spread_of(samples[way].ns).median, ratio.median,
                             ratio.low, ratio.high}});
    }
  }
  ao::configure({});
  return {table};
}

}  // namespace bench
