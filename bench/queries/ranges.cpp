// Accesses of whole ranges, from the hook's way in to the cells, for every detector that checks at scale:
// what a word of 8 bytes costs by what was done to it before and by the length of the ranges; next to it, the
// same words by the hook of single accesses.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <time.h>
#include <utility>
#include <vector>

#include "binding/check/accesses.hpp"
#include "detect/dtrg/dtrg.hpp"
#include "detect/esp_bags/esp_bags.hpp"
#include "detect/offset_span/offset_span.hpp"
#include "detect/spd3/spd3.hpp"
#include "findings/finding_set.hpp"
#include "queries/parts.hpp"
#include "support/sanitizers.hpp"

namespace bench {
namespace {

using namespace anyorder;
using events::Access;

// Cells of all detectors stay in a cache of the second level.
constexpr std::size_t kWords = 4096;
alignas(4096) std::array<std::uint64_t, kWords> memory;

// How long the ranges are, in words; 0: by the hook of single accesses.
constexpr std::array<std::size_t, 6> kLengths{0, 1, 4, 8, 128, kWords};

double thread_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// One detector, one thread, tasks of the root in one finish after the other.
template <class Detector>
class Run {
 public:
  Run() {
    anyorder_quick_thread_3 = {};
    accesses_.begin_thread(counts_, *places_);
    detector_.root_begun(root_, whole_);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() { anyorder_quick_thread_3 = {}; }

  void begin_finish() { detector_.finish_begun(root_, finish_, kSite); }
  void end_finish() { detector_.finish_ended(root_, finish_); }
  template <class F>
  void task(F f) {
    void* task = nullptr;
    detector_.task_created(root_, task, finish_, events::TaskKind::async, kSite);
    detector_.task_begun(task);
    anyorder_quick_thread_3.task = task;
    accesses_.runs_root(false);
    f();
    accesses_.end_step();
    anyorder_quick_thread_3.task = nullptr;
    detector_.task_ended(task);
    detector_.task_forgotten(task);
    detector_.task_resumed(root_);
  }
  // Of the running task, to all words.
  template <Access kAccess>
  void access(std::size_t length, std::uintptr_t pc) {
    void* const task = anyorder_quick_thread_3.task;
    if (length == 0) {
      for (const std::uint64_t& word : memory) accesses_.template check<kAccess, 8>(task, &word, pc);
      accesses_.make_runs();
    } else {
      for (std::size_t at = 0; at < kWords; at += length) {
        accesses_.template check<kAccess>(task, &memory[at], length * 8, pc);
      }
    }
  }
  // In parts, so that pages of cells stay.
  void forget() {
    for (std::size_t at = 0; at < kWords; at += 64) {
      accesses_.forget(reinterpret_cast<std::uintptr_t>(&memory[at]), 512);
      detector_.forget(reinterpret_cast<std::uintptr_t>(&memory[at]), 512);
    }
  }
  [[nodiscard]] bool is_clean() const { return findings_.verdict() == findings::Verdict::clean; }

 private:
  static constexpr events::SourceSite kSite{"a.cpp", "f", 1};

  findings::FindingSet findings_;
  Detector detector_{findings_};
  binding::Places all_places_;
  binding::Accesses<Detector> accesses_{detector_, all_places_};
  std::unique_ptr<binding::ThreadPlaces> places_ = std::make_unique<binding::ThreadPlaces>();
  events::QuickCounts counts_{};
  void* root_ = nullptr;
  void* whole_ = nullptr;
  void* finish_ = nullptr;
};

constexpr std::uintptr_t kHere = 0x1000;
constexpr std::uintptr_t kElsewhere = 0x2004;

enum class Before { same_place, other_place, untouched, written, read, read_in_parallel };
struct Case {
  const char* name;
  Before before;
  bool writes;
};
constexpr std::array<Case, 9> kCases{{
    {"read, known", Before::same_place, false},
    {"write, known", Before::same_place, true},
    {"read, known, at another place", Before::other_place, false},
    {"read, of nobody's", Before::untouched, false},
    {"write, of nobody's", Before::untouched, true},
    {"read, written by one that precedes", Before::written, false},
    {"write, written by one that precedes", Before::written, true},
    {"write, read by one that precedes", Before::read, true},
    {"read, read by two in parallel", Before::read_in_parallel, false},
}};

template <class Detector>
double ns_per_word(Run<Detector>& run, const Case& tried, std::size_t length) {
  double ns = 0;
  const auto access = [&](bool writes, std::uintptr_t pc) {
    if (writes) {
      run.template access<Access::write>(length, pc);
    } else {
      run.template access<Access::read>(length, pc);
    }
  };
  const auto timed = [&] {
    const double begin = thread_ns();
    access(tried.writes, kHere);
    ns = thread_ns() - begin;
  };
  run.forget();
  run.begin_finish();
  switch (tried.before) {
    case Before::untouched:
      run.task(timed);
      break;
    case Before::same_place:
    case Before::other_place:
      run.task([&] {
        access(tried.writes, tried.before == Before::same_place ? kHere : kElsewhere);
        timed();
      });
      break;
    case Before::written:
    case Before::read:
      run.task([&] { access(tried.before == Before::written, kElsewhere); });
      run.end_finish();
      run.begin_finish();
      run.task(timed);
      break;
    case Before::read_in_parallel:
      for (int i = 0; i != 2; ++i) run.task([&] { access(false, kHere); });
      run.task(timed);
      break;
  }
  run.end_finish();
  return ns / kWords;
}

template <class Detector>
Table measure(bool smoke) {
  Table table{.title = std::string("ns per word of 8 bytes, ") + Detector::kTraits.name +
                       ": single accesses, and ranges of so many bytes",
              .columns = {"single", "8", "32", "64", "1024", "32768"}};
  const auto run = std::make_unique<Run<Detector>>();
  for (const Case& tried : kCases) {
    Table::Row row{tried.name, {}};
    for (const std::size_t length : kLengths) {
      double best = 1e300;
      for (int round = 0; round != (smoke ? 2 : 200); ++round) {
        best = std::min(best, ns_per_word(*run, tried, length));
      }
      row.values.push_back(best);
    }
    table.rows.push_back(row);
  }
  if (!run->is_clean()) throw WrongResult("a race that is none");
  return table;
}

}  // namespace

std::vector<Table> measure_ranges(bool smoke) {
  if (ANYORDER_TSAN) {
    std::printf("left out: ThreadSanitizer leaves no room for the shadow of a process\n");
    return {};
  }
  return {measure<detect::dtrg::Dtrg>(smoke), measure<detect::esp_bags::EspBags>(smoke),
          measure<detect::spd3::Spd3>(smoke), measure<detect::offset_span::OffsetSpan>(smoke)};
}

}  // namespace bench
