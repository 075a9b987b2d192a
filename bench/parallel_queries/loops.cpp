#include "parallel_queries/loops.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <time.h>
#include <vector>

#include "detect/esp_bags/esp_bags.hpp"
#include "detect/offset_span/offset_span.hpp"
#include "detect/shared_history/parallel_findings.hpp"
#include "detect/spd3/spd3.hpp"
#include "findings/finding_set.hpp"

namespace {

using namespace anyorder;
using detect::offset_span::Labels;
using detect::shared_history::LeftmostAndRightmost;

// Memory of the program that is made up.
constexpr std::size_t kWords = 4096;
alignas(64) std::array<std::uint64_t, kWords> words;
std::uintptr_t address_of(std::size_t word) {
  return reinterpret_cast<std::uintptr_t>(&words[word % kWords]);
}

double thread_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

template <class Detector>
void read(Detector& detector, void* task, std::size_t word, std::uintptr_t site) {
  const auto site_of = [site] { return site; };
  if (!detector.template try_read<8>(task, address_of(word), site_of)) {
    detector.read(task, address_of(word), 8, site);
  }
}
template <class Detector>
void write(Detector& detector, void* task, std::size_t word, std::uintptr_t site) {
  const auto site_of = [site] { return site; };
  if (!detector.template try_write<8>(task, address_of(word), site_of)) {
    detector.write(task, address_of(word), 8, site);
  }
}

// --- By depth ----------------------------------------------------------------------------------------------

// A nest of loops so deep, of which only one way is gone; serially, depth first.
template <class Detector>
class Nest {
 public:
  explicit Nest(Detector& detector) : detector_(detector) {
    detector_.root_begun(tasks_.emplace_back(), root_finish_);
  }

  void go_down(std::size_t depth) {
    for (std::size_t i = 0; i != depth; ++i) {
      detector_.finish_begun(task(), *finishes_.emplace_back(std::make_unique<void*>(nullptr)), {});
      begin_task();
    }
  }
  void go_up() {
    while (!finishes_.empty()) {
      if (tasks_.size() > finishes_.size()) end_task();
      detector_.finish_ended(task(), *finishes_.back());
      finishes_.pop_back();
    }
  }
  void begin_task() {
    void* child = nullptr;
    detector_.task_created(task(), child, *finishes_.back(), events::TaskKind::async,
                           {"loops.cpp", "nest", 1});
    tasks_.push_back(child);
    detector_.task_begun(task());
  }
  void end_task() {
    detector_.task_ended(task());
    detector_.task_forgotten(task());
    tasks_.pop_back();
    detector_.task_resumed(task());
  }
  [[nodiscard]] void*& task() { return tasks_.back(); }

 private:
  Detector& detector_;
  std::vector<void*> tasks_;
  std::vector<std::unique_ptr<void*>> finishes_;
  void* root_finish_ = nullptr;
};

struct ByDepth {
  double one_task = 1e300;   // ns for each read of a task that reads words that another one wrote
  double task_each = 1e300;  // ns for each task that makes one such read
};

template <class Detector>
void measure(std::size_t depth, ByDepth& best) {
  findings::FindingSet findings;
  Detector detector(findings);
  Nest<Detector> nest(detector);
  nest.go_down(depth);
  for (std::size_t i = 0; i != kWords; ++i) write(detector, nest.task(), i, 1);
  nest.go_up();
  nest.go_down(depth);
  const double begin = thread_time();
  for (std::size_t i = 0; i != kWords; ++i) read(detector, nest.task(), i, 2);
  best.one_task = std::min(best.one_task, (thread_time() - begin) / kWords);
  nest.go_up();
  // Written by as many tasks, and read by as many others.
  for (std::size_t i = 0; i != kWords; ++i) detector.forget(address_of(i), 8);
  for (const bool writes : {true, false}) {
    nest.go_down(depth);
    nest.end_task();
    const double first = thread_time();
    for (std::size_t i = 0; i != kWords; ++i) {
      nest.begin_task();
      if (writes) {
        write(detector, nest.task(), i, 1);
      } else {
        read(detector, nest.task(), i, 2);
      }
      nest.end_task();
    }
    if (!writes) best.task_each = std::min(best.task_each, (thread_time() - first) / kWords);
    nest.go_up();
  }
  if (findings.verdict() != findings::Verdict::clean) throw std::runtime_error("a race that is none");
}

bench::Table measure_depths(bool smoke) {
  bench::Table table{
      "ns per read of a word that was written in an earlier nest of loops, by depth",
      {"offset_span", "spd3", "esp_bags", "offset_span_task_each", "spd3_task_each", "esp_bags_task_each"},
      {}};
  const std::vector<std::size_t> depths =
      smoke ? std::vector<std::size_t>{1, 8} : std::vector<std::size_t>{1, 2, 4, 8, 16, 32, 64};
  std::vector<std::array<ByDepth, 3>> best(depths.size());
  for (int round = 0; round != (smoke ? 1 : 15); ++round) {
    for (std::size_t i = 0; i != depths.size(); ++i) {
      measure<detect::offset_span::OffsetSpan>(depths[i], best[i][0]);
      measure<detect::spd3::Spd3>(depths[i], best[i][1]);
      measure<detect::esp_bags::EspBags>(depths[i], best[i][2]);
    }
  }
  for (std::size_t i = 0; i != depths.size(); ++i) {
    const auto& [offset_span, spd3, esp_bags] = best[i];
    table.rows.push_back({"depth " + std::to_string(depths[i]),
                          {offset_span.one_task, spd3.one_task, esp_bags.one_task, offset_span.task_each,
                           spd3.task_each, esp_bags.task_each}});
  }
  return table;
}

// --- Many readers ------------------------------------------------------------------------------------------

// checkread as the paper has it: every further reader to the right changes the cell.
class PaperRule final : public detect::shared_history::ParallelDetector<Labels, LeftmostAndRightmost> {
 public:
  static constexpr events::DetectorTraits kTraits = detect::offset_span::OffsetSpan::kTraits;
  explicit PaperRule(findings::Sink& findings) : ParallelDetector(kTraits, findings) {}
};

// And with a lock for each location around it: the simplest coordination, as the paper says.
class PaperRuleAndLock {
 public:
  explicit PaperRuleAndLock(findings::Sink& findings) : detector(findings) {}
  PaperRule detector;
  std::array<std::mutex, kWords> locks;
};

constexpr std::size_t kShared = 64;

void read_shared(PaperRuleAndLock& checked, void* task, std::size_t word) {
  const std::lock_guard hold(checked.locks[word]);
  read(checked.detector, task, word, 2);
}
template <class Detector>
void read_shared(Detector& checked, void* task, std::size_t word) {
  read(checked, task, word, 2);
}
PaperRule& events_of(PaperRuleAndLock& checked) { return checked.detector; }
template <class Detector>
Detector& events_of(Detector& checked) {
  return checked;
}

// A loop whose tasks all read the same words, on so many threads: ns that a thread takes for each read.
template <class Checked>
void measure_sharing(unsigned threads, std::size_t tasks, double& best) {
  findings::FindingSet findings;
  const auto checked = std::make_unique<Checked>(findings);
  auto& detector = events_of(*checked);
  void* root = nullptr;
  void* whole = nullptr;
  void* loop = nullptr;
  detector.root_begun(root, whole);
  for (std::size_t word = 0; word != kShared; ++word) write(detector, root, word, 1);
  detector.finish_begun(root, loop, {});
  std::vector<void*> all(tasks * threads);
  for (void*& task : all)
    detector.task_created(root, task, loop, events::TaskKind::async, {"loops.cpp", "loop", 1});
  std::atomic<unsigned> ready = 0;
  using Clock = std::chrono::steady_clock;
  std::vector<Clock::time_point> begun(threads);
  std::vector<Clock::time_point> ended(threads);
  std::vector<std::thread> running;
  for (unsigned number = 0; number != threads; ++number) {
    running.emplace_back([&, number] {
      ready.fetch_add(1);
      while (ready.load() != threads) __builtin_ia32_pause();
      begun[number] = Clock::now();
      for (std::size_t i = number; i < all.size(); i += threads) {
        for (std::size_t word = 0; word != kShared; ++word) read_shared(*checked, all[i], word);
      }
      ended[number] = Clock::now();
    });
  }
  for (std::thread& thread : running) thread.join();
  detector.finish_ended(root, loop);
  for (std::size_t word = 0; word != kShared; ++word) write(detector, root, word, 3);
  if (findings.verdict() != findings::Verdict::clean) throw std::runtime_error("a race that is none");
  const auto reads = static_cast<double>(tasks * kShared);
  // From the first beginning to the last end: threads that did not run at once took longer.
  const std::chrono::duration<double, std::nano> spent =
      *std::max_element(ended.begin(), ended.end()) - *std::min_element(begun.begin(), begun.end());
  best = std::min(best, spent.count() / reads);
}

bench::Table measure_readers(bool smoke) {
  bench::Table table{"ns per read of 64 words that all tasks of a loop read, on so many threads",
                     {"offset_span", "paper_rule", "paper_rule_and_lock", "spd3"},
                     {}};
  const std::size_t tasks = smoke ? 8 : 256;
  for (const unsigned threads : {1U, 2U}) {
    std::array<double, 4> best{1e300, 1e300, 1e300, 1e300};
    for (int round = 0; round != (smoke ? 1 : 60); ++round) {
      measure_sharing<detect::offset_span::OffsetSpan>(threads, tasks, best[0]);
      measure_sharing<PaperRule>(threads, tasks, best[1]);
      measure_sharing<PaperRuleAndLock>(threads, tasks, best[2]);
      measure_sharing<detect::spd3::Spd3>(threads, tasks, best[3]);
    }
    table.rows.push_back({std::to_string(threads) + (threads == 1 ? " thread" : " threads"),
                          {best[0], best[1], best[2], best[3]}});
  }
  return table;
}

}  // namespace

std::vector<bench::Table> bench::measure_loops(bool smoke) {
  return {measure_depths(smoke), measure_readers(smoke)};
}
