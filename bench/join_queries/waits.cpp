// A line of tasks: the first one waits for something outside, and each other one gets the task before. All of
// them have begun before the first one ends, so that none is run by the one that gets it: all gets stand
// still.
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

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
constexpr Way kWays[] = {
    {"off", ao::join_policy::off}, {"known", ao::join_policy::known}, {"cycle", ao::join_policy::cycle}};

}  // namespace

std::vector<Table> measure_waits(bool smoke) {
  // Not 1,000: with that many no further task is begun.
  static constexpr std::size_t kLines[] = {30, 100, 300, 900};
  const int rounds = smoke ? 1 : 31;
  std::map<std::pair<std::size_t, const Way*>, std::vector<double>> found;
  std::map<std::pair<std::size_t, const Way*>, std::vector<double>> ratios;
  for (int round = 0; round != rounds; ++round) {
    for (const std::size_t tasks : kLines) {
      double off = 0;
      for (const Way& way : kWays) {
        const double ns = time_of_line(tasks, way.policy);
        if (way.policy == ao::join_policy::off) off = ns;
        found[{tasks, &way}].push_back(ns);
        ratios[{tasks, &way}].push_back(ns / off);
      }
    }
  }
  ao::configure({});
  Table table{.title = "A line of tasks, each of which stands still for the one before; ratio: to off",
              .columns = {"tasks", "ns_per_task", "ratio", "low", "high"}};
  for (const auto& [key, ns] : found) {
    const Interval ratio = interval_of(ratios[key]);
    table.rows.push_back(
        {key.second->name,
         {static_cast<double>(key.first), spread_of(ns).median, ratio.median, ratio.low, ratio.high}});
  }
  return {table};
}

}  // namespace bench
