// The whole detector, driven by events: runs of more and more tasks with as many accesses each. All runs use
// the same few words of memory, so that what grows is what a task leaves behind.
//
// Each run is a process of its own: its resident memory begins anew.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "comparison/statistics.hpp"
#include "detect/dtrg/dtrg.hpp"
#include "findings/finding_set.hpp"
#include "queries/clock.hpp"
#include "queries/parts.hpp"
#include "support/sanitizers.hpp"

namespace bench {
namespace {

using anyorder::detect::dtrg::Dtrg;
using anyorder::events::TaskKind;

// Few enough that the readers of a word, of which futures keep all that may run in parallel, stay few.
constexpr std::uint64_t kBatch = 100;
constexpr std::uint64_t kOwnWords = 8;     // that a task writes
constexpr std::uint64_t kSharedWords = 8;  // that it reads
constexpr std::uint64_t kAccesses = kOwnWords + kSharedWords;
constexpr double kMostTimes = 1.5;

// Tasks come in batches; each task of a batch has its own words, which the batches share.
class Run {
 public:
  Run() {
    detector_->root_begun(root_, finish_);
    for (std::uint64_t word = 0; word != kSharedWords; ++word) {
      detector_->write(root_, address_of(kBatch, word), 8, 1);
    }
  }

  void async_finish(std::uint64_t tasks) {
    for (std::uint64_t i = 0; i != tasks; i += kBatch) {
      void* inner = nullptr;
      detector_->finish_begun(root_, inner, kSite);
      for (std::uint64_t j = 0; j != kBatch; ++j) {
        void* task = nullptr;
        detector_->task_created(root_, task, inner, TaskKind::async, kSite);
        access(task, j);
        detector_->task_ended(task);
      }
      detector_->finish_ended(root_, inner);
    }
  }
  // Main gets each of them.
  void futures(std::uint64_t tasks) {
    std::array<void*, kBatch> batch{};
    for (std::uint64_t i = 0; i != tasks; i += kBatch) {
      for (std::uint64_t j = 0; j != kBatch; ++j) {
        create(batch[j]);
        access(batch[j], j);
        detector_->task_ended(batch[j]);
      }
      for (void*& task : batch) detector_->get_ended(root_, task, kSite);
    }
  }
  // Each gets the one before; main gets the last of a batch, and those of the next one write the same words.
  void chained_futures(std::uint64_t tasks) {
    std::array<void*, kBatch> batch{};
    for (std::uint64_t i = 0; i != tasks; i += kBatch) {
      for (std::uint64_t j = 0; j != kBatch; ++j) {
        create(batch[j]);
        if (j != 0) detector_->get_ended(batch[j], batch[j - 1], kSite);
        access(batch[j], j);
        detector_->task_ended(batch[j]);
      }
      detector_->get_ended(root_, batch.back(), kSite);
    }
  }

  bool is_clean() const { return findings_.verdict() == anyorder::findings::Verdict::clean; }
  std::uint64_t tasks() { return detector_->graph().task_count() - 1; }

 private:
  static constexpr anyorder::events::SourceSite kSite{"a.cpp", "f", 1};

  static std::uintptr_t address_of(std::uint64_t place, std::uint64_t word) {
    return 0x100000 + 8 * (place * kOwnWords + word);
  }
  void create(void*& future) { detector_->task_created(root_, future, finish_, TaskKind::future, kSite); }
  void access(void* task, std::uint64_t place) {
    for (std::uint64_t word = 0; word != kSharedWords; ++word) {
      detector_->read(task, address_of(kBatch, word), 8, 2);
    }
    for (std::uint64_t word = 0; word != kOwnWords; ++word) {
      detector_->write(task, address_of(place, word), 8, 3);
    }
  }

  anyorder::findings::FindingSet findings_;
  std::unique_ptr<Dtrg> detector_ = std::make_unique<Dtrg>(findings_);
  void* root_ = nullptr;
  void* finish_ = nullptr;
};

struct Way {
  const char* name;
  void (Run::*run)(std::uint64_t tasks);
};
constexpr Way kWays[] = {{"async and finish", &Run::async_finish},
                         {"futures, got by main", &Run::futures},
                         {"futures, chained", &Run::chained_futures}};

struct Sample {
  double ns = 0;
  double bytes = 0;
  bool right = false;
};

double resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long pages = 0;
  const int found = std::fscanf(file, "%*u %lu", &pages);
  std::fclose(file);
  return found == 1 ? static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0;
}

Sample sample_of(const Way& way, std::uint64_t tasks) {
  Run run;
  (run.*way.run)(kBatch);  // brings the shadow memory
  const double bytes = resident_bytes();
  const double begin = processor_ns();
  (run.*way.run)(tasks);
  Sample sample;
  sample.ns = processor_ns() - begin;
  sample.bytes = resident_bytes() - bytes;
  sample.right = run.is_clean() && run.tasks() == kBatch + tasks;
  return sample;
}

Sample in_own_process(const Way& way, std::uint64_t tasks) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (child == 0) {
    const Sample sample = sample_of(way, tasks);
    _exit(write(ends[1], &sample, sizeof sample) == sizeof sample ? 0 : 1);
  }
  close(ends[1]);
  Sample sample;
  const bool told = read(ends[0], &sample, sizeof sample) == sizeof sample;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!told || status != 0 || !sample.right) throw WrongResult(std::string("a wrong run: ") + way.name);
  return sample;
}

}  // namespace

std::vector<Table> measure_growth(bool smoke) {
  Table table{.title = "Runs of more and more tasks, 16 accesses each; ratio: to the first line; target: 1.5",
              .columns = {"tasks", "ns_per_task", "ns_per_access", "ratio", "bytes_per_task"}};
  if (ANYORDER_TSAN) {
    std::printf("left out: ThreadSanitizer leaves no room for the shadow of a process\n");
    return {table};
  }
  const std::uint64_t least = smoke ? 1000 : 10'000;
  const std::uint64_t most = smoke ? 10'000 : 10'000'000;
  for (const Way& way : kWays) {
    double reference = 0;
    for (std::uint64_t tasks = least; tasks <= most; tasks *= 10) {
      const auto count = static_cast<double>(tasks);
      std::vector<double> ns;
      double bytes = 0;
      for (std::uint64_t i = 0; i < std::max<std::uint64_t>(1, smoke ? 1 : 300'000 / tasks); ++i) {
        const Sample sample = in_own_process(way, tasks);
        ns.push_back(sample.ns / count);
        bytes = sample.bytes / count;
      }
      const double per_task = spread_of(ns).median;
      if (reference == 0) reference = per_task;
      const double ratio = per_task / reference;
      table.rows.push_back({way.name,
                            {count, per_task, per_task / static_cast<double>(kAccesses), ratio, bytes},
                            ratio <= kMostTimes ? "meets" : "misses"});
    }
  }
  return {table};
}

}  // namespace bench
