// Accesses of whole ranges in the form of events/quick.hpp: neighbouring words mostly have equal cells, so
// what an access does to one it does to all that follow and equal it, without another decision.
//
// Contract: as quick.hpp, whose cells and thread these are. Each function goes on from `begin` as far as it
// can with what is known, and returns how far: `end`, or an address in the first word for which it cannot.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "events/quick.hpp"
#include "support/equal_blocks.hpp"

namespace anyorder::events {

// Calls part(cell, bytes) for words that are in the range in part, the bytes as bits, and whole(cell, stop)
// for the others, with cells in sequence. Each says how far it came: part by true or false, whole by a cell.
template <class Part, class Whole>
[[nodiscard, gnu::always_inline]] inline std::uintptr_t visit_words(char* cells, std::uintptr_t begin,
                                                                    std::uintptr_t end, Part&& part,
                                                                    Whole&& whole) noexcept {
  constexpr std::uintptr_t kWord = QuickCell::kWordBytes;
  constexpr std::uintptr_t kWindow = std::uintptr_t{1} << QuickCell::kAddressBits;
  const auto visit_part = [&](std::uintptr_t from, std::uintptr_t to) __attribute__((always_inline)) {
    return part(QuickCell::at(cells, from), QuickCell::bytes_of(from, static_cast<unsigned>(to - from)));
  };
  std::uintptr_t at = begin;
  if (at % kWord != 0) [[unlikely]] {
    const std::uintptr_t next = std::min(end, at - at % kWord + kWord);
    if (!visit_part(at, next)) return at;
    at = next;
  }
  while (end - at >= kWord) {
    QuickCell* const cell = &QuickCell::at(cells, at);
    // Cells are in sequence up to the end of the window.
    const std::size_t count = std::min(end - at, kWindow - at % kWindow) / kWord;
    const auto visited = static_cast<std::size_t>(whole(cell, cell + count) - cell);
    at += visited * kWord;
    if (visited != count) return at;
  }
  return at == end || visit_part(at, end) ? end : at;
}

// Has the first cells of the range brought to the cache, all at once: a row of a matrix is too short for the
// processor to notice that it goes on.
inline void fetch_cells(char* cells, std::uintptr_t begin, std::uintptr_t end) noexcept {
  constexpr std::uintptr_t kLine = 64 / sizeof(QuickCell) * QuickCell::kWordBytes;
  constexpr std::uintptr_t kMostLines = 32;
  const std::uintptr_t stop = std::min(end, begin + kMostLines * kLine);
  for (std::uintptr_t at = begin; at < stop; at += kLine) {
    __builtin_prefetch(&QuickCell::at(cells, at), 1);
  }
}

// So many words are worth a look for a run of equal ones.
inline constexpr std::ptrdiff_t kWorthwhile = 3;

// The detector has made the access of the range in the word at `at`, whose cell was `before`: it is made in
// the words of the range that follow and have the same, up to the end of the page. Detectors may have to
// note what they do to a page, but once.
[[nodiscard]] inline std::uintptr_t repeat_update(char* cells, const QuickCell& before, std::uintptr_t at,
                                                  std::uintptr_t end) noexcept {
  constexpr std::uintptr_t kPage = 4096;
  constexpr std::uintptr_t kWord = QuickCell::kWordBytes;
  const QuickCell after = QuickCell::at(cells, at);
  const std::uintptr_t stop = std::min(end, at - at % kPage + kPage);
  QuickCell* const next = &QuickCell::at(cells, at) + 1;
  QuickCell* const past = next + (stop - at) / kWord - 1;
  const std::size_t count = std::memcmp(&after, &before, sizeof before) == 0
                                ? support::count_equal<QuickCell>(next, past, before)
                                : support::replace_equal(next, past, before, after);
  return at + (1 + count) * kWord;
}

// Past words that the task has accessed already.
template <Access kAccess>
[[nodiscard, gnu::always_inline]] inline std::uintptr_t skip_known(char* cells, std::uint32_t tag,
                                                                   std::uintptr_t begin,
                                                                   std::uintptr_t end) noexcept {
  return visit_words(
      cells, begin, end,
      [tag](const QuickCell& cell, std::uint32_t bytes) { return cell.knows<kAccess>(tag, bytes); },
      [tag](const QuickCell* cell, const QuickCell* stop) {
        while (cell != stop && cell->knows<kAccess>(tag, QuickAccess::kBytes)) {
          ++cell;
          if (stop - cell >= kWorthwhile) cell += support::count_equal(cell, stop, cell[-1]);
        }
        return cell;
      });
}

// The same, and makes accesses as those before at this place: for a few words, each by itself.
template <Access kAccess>
[[nodiscard, gnu::always_inline]] inline std::uintptr_t repeat_few(QuickThread& own, char* cells,
                                                                   std::uintptr_t begin, std::uintptr_t end,
                                                                   std::uintptr_t pc) noexcept {
  constexpr std::uintptr_t kWord = QuickCell::kWordBytes;
  if ((begin | end) % kWord != 0) return begin;
  std::uintptr_t at = begin;
  while (at != end && (is_known<kAccess, kWord>(cells, quick_tag_in(own.task), at) ||
                       repeat_access<kAccess, kWord>(own, cells, at, pc))) {
    at += kWord;
  }
  return at;
}
// So many bytes are few.
inline constexpr std::size_t kFewBytes = 32;

// The same for many.
template <Access kAccess>
[[nodiscard, gnu::always_inline]] inline std::uintptr_t repeat_range(QuickThread& own, char* cells,
                                                                     std::uintptr_t begin, std::uintptr_t end,
                                                                     std::uintptr_t pc) noexcept {
  const QuickPlace& place = quick_place_of(own, pc);
  if (!place.is(pc, own.context)) return begin;
  if (end > own.bottom && begin < own.bottom + own.untouched) {
    own.untouched = begin > own.bottom ? begin - own.bottom : 0;
  }
  // A call would have its captures in memory, and wait for them.
  const auto repeat = [&](QuickCell & cell, std::uint32_t bytes) __attribute__((always_inline)) {
    return cell.knows<kAccess>(quick_tag_in(own.task), bytes) || cell.repeat<kAccess>(own, bytes, place);
  };
  return visit_words(cells, begin, end, repeat, [&](QuickCell* cell, QuickCell* stop) {
    while (cell != stop) {
      const QuickCell before = *cell;
      if (!repeat(*cell, QuickAccess::kBytes)) break;
      ++cell;
      if (stop - cell < kWorthwhile) continue;
      // What was done follows from the cell, the thread and the place alone.
      const QuickCell after = cell[-1];
      cell += std::memcmp(&after, &before, sizeof before) == 0
                  ? support::count_equal<QuickCell>(cell, stop, before)
                  : support::replace_equal(cell, stop, before, after);
    }
    return cell;
  });
}

}  // namespace anyorder::events
