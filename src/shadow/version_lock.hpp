// The lock of a word whose cell is also read, as a whole and consistently, by threads that do not take it.
//
// The head of a cell in the shadow is the word's version, with a bit for "is being changed" and one for
// "split". Outside of the shadow a cell's head is 0, or that of a split word. Each change of the cell is
// another version, up to 2^62 of them. A split word's link is in the next two 8-byte words, in a form that is
// never mistaken for content by a thread that looks at one of them alone.
//
// Who changes cells has a lock, which is not in the cells: one for all words of a stretch of memory, so that
// a run of them is changed under one lock. (A locked instruction for each word took 10 ns, most of what a
// word of a range did; a change without it is five stores.) Stretches that are far apart may share a lock. A
// thread has one at a time.
//
// Why a Snapshot is what the cell was at one moment (all by the C++ memory model; on x86-64 every load and
// store here is a plain one). Let a writer, under the lock, find version v, store the head "v is being
// changed", then the words and then the head v+1; let a reader load the head (v1), the words, and the head
// again (v2), and find v1 == v2, not being changed.
//  1. Not newer: if it read a word that the writer of v stored, that load, an acquire, synchronizes with the
//     store, a release; the writer's mark comes before the store, so the second load of the head finds the
//     mark or a later value. Then v1 == v2 is later than v.
//  2. Not older: if v1 is v+1 or later, the first load of the head, an acquire, synchronizes with the release
//     store of the head that it reads (a mark is not a release, but is no v1 either), which comes after all
//     stores of the writer of v: either it is that writer's own, or a later writer's, who acquired the lock
//     after it.
// So each word is the newest that is not newer than v1. A writer of one word alone leaves out the mark: a
// look with v1 == v2 == v may then have that word of v+1, and so is what the cell was from that store on;
// words of later changes it has not, as their stores come after the head v+1, which the second load would
// find by (1). (To replace by such a look fails: the head is v+1 when the lock is free.) replace() compares
// the version with the one that was seen under the lock, so that its caller's decision is made and carried
// out in one step. What a cell refers to was made before the cell was stored, and is seen by who loaded its
// version, since (2) orders that as well.
//
// Contract: any thread, any time; but memory that is forgotten while it is accessed begins again at version
// 0, and a snapshot of it may then be mixed: each of its words is one that the cell had.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "events/versioned_words.hpp"
#include "shadow/cell.hpp"
#include "support/spin_lock.hpp"

namespace anyorder::shadow {

// P::split_word(half) is an 8-byte word of which the lower half is `half`, and which no cell has.
template <class P>
concept VersionedCellPolicy = CellPolicy<P> && sizeof(typename P::Cell) >= 24 &&
                              requires(std::uint32_t half) {
  { P::split_word(half) } -> std::same_as<std::uint64_t>;
};

template <VersionedCellPolicy P>
class VersionLock {
 public:
  using Cell = typename P::Cell;
  static constexpr std::uint64_t kUnsteady = events::CellVersion::kUnsteady;

  struct Snapshot {
    std::uint64_t version;
    Cell cell;
  };
  // False: the word is split, or is being changed or was meanwhile.
  [[nodiscard, gnu::always_inline]] static bool look(Cell& place, Snapshot& seen) noexcept {
    seen.version = load<__ATOMIC_ACQUIRE>(place, 0);
    if ((seen.version & kUnsteady) != 0) return false;
    Words words;
    words[0] = 0;
    for (std::size_t i = 1; i != kWords; ++i) words[i] = load<__ATOMIC_ACQUIRE>(place, i);
    std::memcpy(&seen.cell, words.data(), sizeof(Cell));
    return load<__ATOMIC_RELAXED>(place, 0) == seen.version;
  }
  // The same in steps, for who can decide by a part of it: the version; then words of the cell by look_at;
  // then whether they are what the cell was at one moment.
  [[nodiscard]] static std::uint64_t version_of(Cell& place) noexcept {
    return load<__ATOMIC_ACQUIRE>(place, 0);
  }
  [[nodiscard]] static bool is_still(Cell& place, std::uint64_t version) noexcept {
    return (version & kUnsteady) == 0 && load<__ATOMIC_RELAXED>(place, 0) == version;
  }
  // Makes the cell that was seen another one. False: it is not the one that was seen, or another thread has
  // the lock; nobody is waited for.
  [[nodiscard, gnu::always_inline]] static bool replace(Cell& place, std::uint64_t version,
                                                        const Cell& desired) noexcept {
    Stretch& stretch = stretch_of(place);
    if (!stretch.try_lock()) return false;
    const bool as_seen = load<__ATOMIC_RELAXED>(place, 0) == version;
    if (as_seen) change(place, version, words_of(desired), version + kVersion);
    stretch.unlock();
    return as_seen;
  }
  // The same for cells in sequence that are all like `seen` but for their heads: from the first on, as long
  // as each is so, and not split. How many.
  [[nodiscard, gnu::always_inline]] static std::size_t replace_run(std::span<Cell> places, const Cell& seen,
                                                                   const Cell& desired) noexcept {
    const Words wanted = words_of(seen);
    const Words words = words_of(desired);
    // Most changes are of one word, and the others need not be stored.
    std::size_t changed = 0;
    std::size_t changes = 0;
    for (std::size_t i = 1; i != kWords; ++i) {
      if (wanted[i] == words[i]) continue;
      changed = i;
      ++changes;
    }
    if (changes != 1) {
      return change_run(
          places, wanted, [&](Cell & place, std::uint64_t version) __attribute__((always_inline)) {
            change(place, version, words, version + kVersion);
          });
    }
    const std::uint64_t word = words[changed];
    return change_run(
        places, wanted, [&](Cell & place, std::uint64_t version) __attribute__((always_inline)) {
          events::change_word(reinterpret_cast<std::uint64_t*>(&place), changed, word, version + kVersion);
        });
  }
  // How many of them, from the first on, are like `seen` but for their heads, each at one moment.
  [[nodiscard, gnu::always_inline]] static std::size_t count_run(std::span<Cell> places,
                                                                 const Cell& seen) noexcept {
    const Words wanted = words_of(seen);
    Cell* place = places.data();
    Cell* const end = place + places.size();
    while (place != end && is_at_one_moment(*place, wanted)) ++place;
    return static_cast<std::size_t>(place - places.data());
  }
  // How many of them, from the first on, have this as their i-th 8-byte word.
  [[nodiscard, gnu::always_inline]] static std::size_t count_with(std::span<Cell> places, std::size_t i,
                                                                  std::uint64_t wanted) noexcept {
    constexpr std::ptrdiff_t kAtOnce = 4;
    auto* const begin = reinterpret_cast<std::uint64_t*>(places.data()) + i;
    std::uint64_t* const end = begin + places.size() * kWords;
    std::uint64_t* at = begin;
    const auto differs = [&](std::size_t next) {
      return std::atomic_ref(at[next * kWords]).load(std::memory_order_acquire) ^ wanted;
    };
    for (; end - at >= kAtOnce * static_cast<std::ptrdiff_t>(kWords); at += kAtOnce * kWords) {
      if ((differs(0) | differs(1) | differs(2) | differs(3)) != 0) break;
    }
    while (at != end && differs(0) == 0) at += kWords;
    return static_cast<std::size_t>(at - begin) / kWords;
  }
  // The i-th 8-byte word of the cell.
  [[nodiscard]] static std::uint64_t look_at(Cell& place, std::size_t i) noexcept {
    return load<__ATOMIC_ACQUIRE>(place, i);
  }

  // For who makes such changes by himself, as events/versioned_words.hpp has them.
  [[nodiscard]] static events::StretchLocks& locks() noexcept { return stretches; }

  explicit VersionLock(Cell& place) noexcept : place_(place), stretch_(stretch_of(place)) {
    for (support::ShortWait wait; !stretch_.try_lock();) {
      while (stretch_.is_taken()) wait();
    }
    version_ = load<__ATOMIC_RELAXED>(place_, 0);
    Words words{};
    if ((version_ & kSplit) != 0) {
      const std::uint64_t low = load<__ATOMIC_RELAXED>(place_, 1) & kHalf;
      const std::uint64_t high = load<__ATOMIC_RELAXED>(place_, 2) & kHalf;
      words[0] = P::split_head(high << 32U | low);
    } else {
      for (std::size_t i = 1; i != kWords; ++i) words[i] = load<__ATOMIC_RELAXED>(place_, i);
    }
    std::memcpy(&was_, words.data(), sizeof(Cell));
    cell = was_;
  }
  VersionLock(const VersionLock&) = delete;
  VersionLock& operator=(const VersionLock&) = delete;
  ~VersionLock() {
    if (!same_history(cell, was_)) {
      Words words = words_of(cell);
      const bool split = P::is_split(words[0]);
      if (split) {
        const std::uint64_t link = P::link(words[0]);
        words = {};
        words[1] = P::split_word(static_cast<std::uint32_t>(link));
        words[2] = P::split_word(static_cast<std::uint32_t>(link >> 32U));
      }
      change(place_, version_, words, (version_ & ~kSplit) + kVersion + (split ? kSplit : 0));
    }
    stretch_.unlock();
  }

  // As those of HeadLock. A version is 0 only before the first change.
  [[nodiscard]] static bool is_never(Cell& place) noexcept { return load<__ATOMIC_ACQUIRE>(place, 0) == 0; }
  [[nodiscard]] static bool may_be_split(Cell& place) noexcept {
    return (load<__ATOMIC_ACQUIRE>(place, 0) & kUnsteady) != 0;
  }

  // Makes the word never accessed, one that is not split and that no other thread uses meanwhile.
  [[gnu::always_inline]] static void clear(Cell& place) noexcept {
    for (std::size_t i = kWords; i != 0; --i) store<__ATOMIC_RELAXED>(place, i - 1, 0);
  }

  Cell cell;

 private:
  static constexpr std::size_t kWords = sizeof(Cell) / sizeof(std::uint64_t);
  using Words = std::array<std::uint64_t, kWords>;

  static constexpr std::uint64_t kVersion = events::CellVersion::kNext;
  static constexpr std::uint64_t kSplit = events::CellVersion::kSplit;
  static constexpr std::uint64_t kHalf = 0xffff'ffffU;

  // Not atomic_ref, whose members g++ does not inline here: calls that ask for the order at run time.
  template <int kOrder>
  [[nodiscard, gnu::always_inline]] static inline std::uint64_t load(Cell& cell, std::size_t i) noexcept {
    return __atomic_load_n(reinterpret_cast<std::uint64_t*>(&cell) + i, kOrder);
  }
  template <int kOrder>
  [[gnu::always_inline]] static inline void store(Cell& cell, std::size_t i, std::uint64_t value) noexcept {
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(&cell) + i, value, kOrder);
  }
  using Stretch = events::StretchLock;
  static inline constinit events::StretchLocks stretches{};

  static std::uintptr_t number_of(Cell& place) noexcept {
    return reinterpret_cast<std::uintptr_t>(&place) / sizeof(Cell);
  }
  [[nodiscard, gnu::always_inline]] static Stretch& stretch_of(Cell& place) noexcept {
    return stretches.of<sizeof(Cell)>(&place);
  }
  static std::ptrdiff_t cells_left_in_stretch(Cell& place) noexcept {
    constexpr std::uintptr_t kCells = events::StretchLocks::kCells;
    return static_cast<std::ptrdiff_t>(kCells - number_of(place) % kCells);
  }
  // Under the lock.
  [[gnu::always_inline]] static void change(Cell& place, std::uint64_t version, const Words& words,
                                            std::uint64_t next_version) noexcept {
    events::change_words(reinterpret_cast<std::uint64_t*>(&place), version, words, next_version);
  }
  // Makes change(place, version) for cells in sequence that have these words and are not split: how many.
  template <class Change>
  [[nodiscard, gnu::always_inline]] static std::size_t change_run(std::span<Cell> places, const Words& wanted,
                                                                  Change change) noexcept {
    Cell* place = places.data();
    Cell* const end = place + places.size();
    bool goes_on = true;
    // A look first: a lock takes longer, and what is not like its neighbour is common.
    while (goes_on && place != end && has_words(*place, wanted)) {
      Stretch& stretch = stretch_of(*place);
      if (!stretch.try_lock()) break;
      Cell* const end_of_stretch =
          place + std::min<std::ptrdiff_t>(end - place, cells_left_in_stretch(*place));
      for (; place != end_of_stretch; ++place) {
        const std::uint64_t version = load<__ATOMIC_RELAXED>(*place, 0);
        goes_on = (version & kSplit) == 0 && has_words(*place, wanted);
        if (!goes_on) break;
        change(*place, version);
      }
      stretch.unlock();
    }
    return static_cast<std::size_t>(place - places.data());
  }
  // Without a loop, which is not always unrolled where it is inlined.
  template <std::size_t... i>
  [[nodiscard, gnu::always_inline]] static bool has_words(Cell& place, const Words& words,
                                                          std::index_sequence<i...> /*unused*/) noexcept {
    return ((load<__ATOMIC_ACQUIRE>(place, i + 1) ^ words[i + 1]) | ...) == 0;
  }
  [[nodiscard, gnu::always_inline]] static bool has_words(Cell& place, const Words& words) noexcept {
    return has_words(place, words, std::make_index_sequence<kWords - 1>{});
  }
  [[nodiscard, gnu::always_inline]] static bool is_at_one_moment(Cell& place, const Words& words) noexcept {
    const std::uint64_t version = load<__ATOMIC_ACQUIRE>(place, 0);
    return has_words(place, words) && is_still(place, version);
  }
  static Words words_of(const Cell& cell) noexcept {
    Words words;
    std::memcpy(words.data(), &cell, sizeof(Cell));
    return words;
  }

  Cell& place_;
  Stretch& stretch_;
  std::uint64_t version_;
  Cell was_;
};

}  // namespace anyorder::shadow
