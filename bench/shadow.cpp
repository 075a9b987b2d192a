// What shadow memory costs next to an array of cells, which is as much as can be asked for: an access, an
// access of part of a word, a word of a range, and to forget. Each cell counts, so that the work is seen.

#include "shadow/shadow.hpp"

#include <benchmark/benchmark.h>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <sys/mman.h>
#include <utility>
#include <vector>

#include "comparison/comparison.hpp"
#include "shadow/concurrent_shadow.hpp"

namespace {

using bench::Comparison;
using bench::Runs;
using std::uint64_t;
using std::uintptr_t;

struct Policy {
  using Cell = uint64_t;
  static constexpr unsigned kWordBytes = 8;
  static constexpr uint64_t kSplit = uint64_t{1} << 63U;
  static constexpr uint64_t kLocked = ~uint64_t{0};
  static uint64_t split_head(uint64_t link) { return kSplit | link; }
  static bool is_split(uint64_t head) { return (head & kSplit) != 0; }
  static uint64_t link(uint64_t head) { return head & ~kSplit; }

  static constexpr uint64_t kOpen = uint64_t{3} << 62U;
  static constexpr unsigned kBlockBits = 31;
  static uint64_t open(uint64_t block) { return kOpen | block; }
  static bool is_open(const uint64_t& line) { return (line & kOpen) == kOpen; }
  static uint64_t block_of(const uint64_t& line) { return line & ~kOpen; }
};
using Shadow = anyorder::shadow::Shadow<Policy>;
using Concurrent = anyorder::shadow::ConcurrentShadow<Policy>;

Shadow& shadow() {
  static Shadow one;
  return one;
}
Concurrent& concurrent() {
  static Concurrent one;
  return one;
}

// The program's memory, which nobody looks at, the order in which its words are accessed, and the array.
class Memory {
 public:
  explicit Memory(std::size_t words) : words_(words), cells_(2 * words) {
    order_.resize(words);
    // A walk through all words that the prefetcher does not guess: an odd factor, modulo a power of two.
    for (std::size_t i = 0; i != words; ++i) order_[i] = i * 0x9E3779B1U % words;
    memory_ = mmap(nullptr, words * 8, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { munmap(memory_, words_ * 8); }

  std::size_t words() const { return words_; }
  uintptr_t address() const { return reinterpret_cast<uintptr_t>(memory_); }
  std::span<const std::size_t> order() const { return order_; }
  std::span<uint64_t> cells() { return cells_; }

 private:
  std::size_t words_;
  std::vector<uint64_t> cells_;
  std::vector<std::size_t> order_;
  void* memory_;
};

// A step of a detector that is as small as can be: the number of words whose cell it has changed.
inline uint64_t step(uint64_t& cell) {
  const uint64_t next = cell + 1;
  cell = next & ~Policy::kSplit;
  return next != 0 ? 1 : 0;
}

template <class S>
uint64_t through_pieces(S& s, uintptr_t address, std::size_t words, std::size_t bytes) {
  uint64_t sum = 0;
  for (std::size_t at = 0; at != words * 8; at += bytes) {
    s.for_each_piece(address + at, bytes, [&](uint64_t& cell, uintptr_t, std::size_t) { sum += step(cell); });
  }
  return sum;
}

std::vector<Comparison> comparisons(bench::Sizes sizes) {
  const std::size_t words = sizes.pick(std::size_t{1} << 16U, std::size_t{1} << 10U);
  const auto memory = std::make_shared<Memory>(words);
  const uintptr_t base = memory->address();
  std::vector<Comparison> all;
  const auto add = [&](const char* name, const char* unit, std::size_t units, uint64_t result,
                       std::pair<const char*, std::function<uint64_t()>> measured,
                       std::pair<const char*, std::function<uint64_t()>> reference) {
    all.push_back({.name = name,
                   .unit = unit,
                   .units = static_cast<double>(units),
                   .result = result,
                   .measured = {measured.first, Runs::on_neither, std::move(measured.second)},
                   .reference = {reference.first, Runs::on_neither, std::move(reference.second)}});
  };

  const auto array_in_order = [memory] {
    uint64_t sum = 0;
    for (uint64_t& cell : memory->cells().first(memory->words())) {
      sum += step(cell);
      benchmark::DoNotOptimize(sum);  // one at a time, as accesses come
    }
    return sum;
  };
  // Of a word in an open line, as all of them are but at the first access of each.
  const auto update_one = [](Shadow& cells, uintptr_t address) {
    uint64_t changed = 0;
    static_cast<void>(cells.update(
        address, 8,
        [&](uint64_t& cell) {
          changed = step(cell);
          return true;
        },
        [](uint64_t&, uintptr_t, std::size_t) { return false; }));
    return changed;
  };
  add("shadow/word/in_order", "access", words, words,
      {"update(address)",
       [memory, base, update_one] {
         Shadow& cells = shadow();
         uint64_t sum = 0;
         for (std::size_t i = 0; i != memory->words(); ++i) {
           sum += update_one(cells, base + 8 * i);
           benchmark::DoNotOptimize(sum);
         }
         return sum;
       }},
      {"array", array_in_order});
  add("shadow/word/scattered", "access", words, words,
      {"update(address)",
       [memory, base, update_one] {
         Shadow& cells = shadow();
         uint64_t sum = 0;
         for (const std::size_t i : memory->order()) sum += update_one(cells, base + 8 * i);
         return sum;
       }},
      {"array", [memory] {
         uint64_t sum = 0;
         for (const std::size_t i : memory->order()) sum += step(memory->cells()[i]);
         return sum;
       }});
  add("shadow/piece/whole_words", "access", words, words,
      {"for_each_piece", [=] { return through_pieces(shadow(), base, words, 8); }},
      {"array", array_in_order});
  add("shadow/piece/concurrent", "access", words, words,
      {"for_each_piece under a lock", [=] { return through_pieces(concurrent(), base, words, 8); }},
      {"array", array_in_order});
  add("shadow/piece/halves", "access", 2 * words, 2 * words,
      {"for_each_piece, 4 bytes: splits each word and joins it",
       [=] { return through_pieces(shadow(), base, words, 4); }},
      {"array of a cell per 4 bytes", [memory] {
         uint64_t sum = 0;
         for (uint64_t& cell : memory->cells()) {
           sum += step(cell);
           benchmark::DoNotOptimize(sum);
         }
         return sum;
       }});
  add("shadow/range", "line", words / 8, words / 8,
      {"for_range",
       [=] {
         Shadow& cells = shadow();
         cells.forget(base, words * 8);  // so that lines are not open
         uint64_t sum = 0;
         cells.for_range(
             base, words * 8,
             [&](std::span<uint64_t> lines, uintptr_t) {
               uint64_t changed = 0;  // not sum, which a cell might be for all that the compiler knows
               for (uint64_t& cell : lines) changed += step(cell);
               sum += changed;
             },
             [](std::span<uint64_t>, uintptr_t) {}, [](uintptr_t, std::size_t) {});
         return sum;
       }},
      {"array of a cell per line, cleared before", [memory] {
         const std::span<uint64_t> cells = memory->cells().first(memory->words() / 8);
         std::memset(cells.data(), 0, cells.size_bytes());
         uint64_t sum = 0;
         for (uint64_t& cell : cells) sum += step(cell);
         return sum;
       }});
  for (const std::size_t bytes : {std::size_t{64}, std::size_t{1024}}) {
    const std::size_t times = words * 8 / bytes;
    add(bytes == 64 ? "shadow/forget/64_bytes" : "shadow/forget/1024_bytes", "call", times, times,
        {"forget",
         [=] {
           for (std::size_t i = 0; i != times; ++i) shadow().forget(base + i * bytes, bytes);
           return times;
         }},
        {"memset of as much", [=] {
           for (std::size_t i = 0; i != times; ++i) {
             std::memset(memory->cells().data() + i * bytes / 8, 0, bytes);
             benchmark::ClobberMemory();
           }
           return times;
         }});
  }
  constexpr std::size_t kGiB = std::size_t{1} << 30U;
  constexpr std::size_t kTimes = 64;
  add("shadow/forget/untouched_gigabyte", "call", kTimes, kTimes,
      {"forget",
       [] {
         const uintptr_t nowhere = uintptr_t{0x7000} << 32U;
         for (std::size_t i = 0; i != kTimes; ++i) shadow().forget(nowhere + i * 8, kGiB);
         return kTimes;
       }},
      {"madvise of as much", [] {
         static void* const gigabyte =
             mmap(nullptr, kGiB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
         for (std::size_t i = 0; i != kTimes; ++i) madvise(gigabyte, kGiB, MADV_DONTNEED);
         return kTimes;
       }});
  return all;
}

// Resident shadow memory per byte of the program's, for arrays of which each element has its own history.
std::vector<bench::Figure> figures(bench::Sizes sizes) {
  const std::size_t megabytes = sizes.pick(std::size_t{64}, std::size_t{1});
  std::vector<bench::Figure> all;
  for (const std::size_t element : {std::size_t{8}, std::size_t{4}, std::size_t{2}, std::size_t{1}}) {
    Shadow own;
    const Memory memory((megabytes << 20U) / 8);
    uint64_t history = 0;
    for (std::size_t at = 0; at != megabytes << 20U; at += element) {
      own.for_each_piece(memory.address() + at, element,
                         [&](uint64_t& cell, uintptr_t, std::size_t) { cell = ++history; });
    }
    all.push_back({.name = "shadow of elements of " + std::to_string(element) + " bytes",
                   .unit = "times the memory",
                   .value = static_cast<double>(own.statistics().resident_bytes) /
                            static_cast<double>(megabytes << 20U)});
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) { return bench::run(argc, argv, &figures, &comparisons); }
