// Accesses of whole ranges in the form of events/quick.hpp: neighbouring words mostly have equal cells, so
// what an access does to one it does to all that follow and equal it, without another decision.
//
// Contract: as quick.hpp, whose cells and thread these are. Each function goes on from `begin` as far as it
// can with what is known, and returns how far: `end`, or an address in the first word for which it cannot.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "events/quick.hpp"
#include "events/step_updates.hpp"
#include "support/equal_blocks.hpp"

namespace anyorder::events {

// Which bytes of any of its words a range within a line has.
[[nodiscard]] inline std::uint32_t bytes_of_words(std::uintptr_t begin, std::uintptr_t end) noexcept {
  constexpr std::uintptr_t kWord = QuickCell::kWordBytes;
  const std::uintptr_t next = begin - begin % kWord + kWord;
  if (end <= next) return QuickCell::bytes_of(begin, static_cast<unsigned>(end - begin));
  if (begin % kWord == 0 || end - next >= kWord) return QuickAccess::kBytes;
  return QuickCell::bytes_of(begin, static_cast<unsigned>(next - begin)) |
         QuickCell::bytes_of(next, static_cast<unsigned>(end - next));
}

// Goes through the cells of a range: whole(cell, stop, address, span) has those of lines that are not open,
// or of whole words of one that is, in sequence, each for `span` bytes from the address on, and returns how
// many it did. part(cell, bytes) has a word of an open line that is in the range in part, and known(cell,
// bytes) a line that is not open and in the range in part, with the bytes of its words: they say whether
// nothing is left to be done. passed(address) is called for each open line of which all words were visited.
template <class Part, class Whole, class Known, class Passed>
[[nodiscard, gnu::always_inline]] inline std::uintptr_t visit_cells(char* cells, std::uintptr_t begin,
                                                                    std::uintptr_t end, Part&& part,
                                                                    Whole&& whole, Known&& known,
                                                                    Passed&& passed) noexcept {
  constexpr std::uintptr_t kLine = QuickCell::kLineBytes;
  constexpr std::uintptr_t kWord = QuickCell::kWordBytes;
  std::uintptr_t at = begin;
  while (at != end) {
    QuickCell* cell = &QuickCell::line_at(cells, at);
    const bool is_open = cell->is_open();
    const std::size_t in_line = std::min(end - at, kLine - at % kLine);
    std::uintptr_t span = kLine;
    std::size_t count = 0;
    if (is_open) {
      cell = cell->words(cells) + QuickCell::word_in_line(at);
      const std::size_t in_word = std::min(end - at, kWord - at % kWord);
      if (in_word != kWord) [[unlikely]] {
        if (!part(*cell, QuickCell::bytes_of(at, static_cast<unsigned>(in_word)))) return at;
        at += in_word;
        if (at % kLine == 0 && at - begin >= kLine) passed(at - kLine);
        continue;
      }
      span = kWord;
      count = in_line / kWord;
    } else if (in_line == kLine) {
      // Cells are in sequence up to the end of the window.
      count = std::min(end - at, QuickCell::kWindow - at % QuickCell::kWindow) / kLine;
    } else {
      if (!known(*cell, bytes_of_words(at, at + in_line))) return at;
      at += in_line;
      continue;
    }
    const std::size_t visited = whole(cell, cell + count, at, span);
    if (visited == 0) return at;
    at += visited * span;
    if (is_open && at % kLine == 0 && at - begin >= kLine) passed(at - kLine);
  }
  return at;
}

// Has the first cells of the range brought to the cache, all at once: a row of a matrix is too short for the
// processor to notice that it goes on.
inline void fetch_cells(char* cells, std::uintptr_t begin, std::uintptr_t end) noexcept {
  constexpr std::uintptr_t kAtOnce = 64 / sizeof(QuickCell) * QuickCell::kLineBytes;
  constexpr std::uintptr_t kMost = 8;
  const std::uintptr_t stop = std::min(end, begin + kMost * kAtOnce);
  for (std::uintptr_t at = begin; at < stop; at += kAtOnce) {
    __builtin_prefetch(&QuickCell::line_at(cells, at), 1);
  }
}

// Detectors note what they do to a page.
inline constexpr std::uintptr_t kPage = 4096;

// So many words are worth a look for a run of equal ones.
inline constexpr std::ptrdiff_t kWorthwhile = 3;

// The detector has made the access of the range in the line or the word at `at`, of which the cell was
// `before`: it is made in those that follow in sequence, up to `stop`, and have the same. How many these are,
// the first one included.
[[nodiscard]] inline std::size_t repeat_update(QuickCell* cell, const QuickCell& before,
                                               const QuickCell* stop) noexcept {
  const QuickCell after = *cell;
  QuickCell* const past = cell + (stop - cell);
  return 1 + (after.is_same(before) ? support::count_equal<QuickCell>(cell + 1, past, before)
                                    : support::replace_equal(cell + 1, past, before, after));
}
// The same for a line that is not open. Up to the end of the page: detectors may have to note what they do to
// a page, but once.
[[nodiscard]] inline std::uintptr_t repeat_in_lines(char* cells, const QuickCell& before, std::uintptr_t at,
                                                    std::uintptr_t end) noexcept {
  constexpr std::uintptr_t kLine = QuickCell::kLineBytes;
  QuickCell* const line = &QuickCell::line_at(cells, at);
  const std::uintptr_t stop = std::min(end, at - at % kPage + kPage);
  return at + repeat_update(line, before, line + (stop - at) / kLine) * kLine;
}
// The same for a word, up to the end of its line.
[[nodiscard]] inline std::uintptr_t repeat_in_words(char* cells, const QuickCell& before, std::uintptr_t at,
                                                    std::uintptr_t end) noexcept {
  constexpr std::uintptr_t kLine = QuickCell::kLineBytes;
  constexpr std::uintptr_t kWord = QuickCell::kWordBytes;
  const QuickCell& line = QuickCell::line_at(cells, at);
  if (!line.is_open()) return at + kWord;
  QuickCell* const cell = line.words(cells) + QuickCell::word_in_line(at);
  const std::uintptr_t stop = std::min(end, at - at % kLine + kLine);
  return at + repeat_update(cell, before, cell + (stop - at) / kWord) * kWord;
}

// Past words that the task has accessed already.
template <Access kAccess>
[[nodiscard, gnu::always_inline]] inline std::uintptr_t skip_known(char* cells, std::uint32_t tag,
                                                                   std::uintptr_t begin,
                                                                   std::uintptr_t end) noexcept {
  const auto known = [tag](const QuickCell& cell, std::uint32_t bytes) __attribute__((always_inline)) {
    return cell.knows<kAccess>(tag, bytes);
  };
  return visit_cells(
      cells, begin, end, known,
      [tag](const QuickCell* cell, const QuickCell* stop, std::uintptr_t, std::uintptr_t) {
        const QuickCell* at = cell;
        while (at != stop && at->knows<kAccess>(tag, QuickAccess::kBytes)) {
          ++at;
          if (stop - at >= kWorthwhile) at += support::count_equal(at, stop, at[-1]);
        }
        return static_cast<std::size_t>(at - cell);
      },
      known, [](std::uintptr_t) {});
}

// The same, and makes accesses as those before at this place: for a few words, each by itself.
template <Access kAccess>
[[nodiscard, gnu::always_inline]] inline std::uintptr_t repeat_few(QuickThread& own, char* cells,
                                                                   std::uintptr_t begin, std::uintptr_t end,
                                                                   std::uintptr_t pc) noexcept {
  constexpr std::uintptr_t kWord = QuickCell::kWordBytes;
  if ((begin | end) % kWord != 0) return begin;
  std::uintptr_t at = begin;
  for (; at != end; at += kWord) {
    const QuickResult result = repeat_access<kAccess, kWord>(own, cells, at, pc);
    if (result == QuickResult::missed) break;
    if (result == QuickResult::quiet) ++own.counts->readers;
  }
  return at;
}
// So many bytes are few.
inline constexpr std::size_t kFewBytes = 32;

// The same for many, also as those that the step has made before. passed(address) is called for each open
// line of which all words were visited, note(address) for a cell that gets a log: for its page, but once.
template <Access kAccess, class Passed, class Note>
[[nodiscard, gnu::always_inline]] inline std::uintptr_t repeat_range(
    QuickThread& own, const StepUpdates& updates, std::uint64_t epoch, char* cells, std::uintptr_t begin,
    std::uintptr_t end, std::uintptr_t pc, Passed&& passed, Note&& note) noexcept {
  const QuickPlace& place = quick_place_of(own, pc);
  if (!place.is(pc, own.context)) return begin;
  if (end > own.bottom && begin < own.bottom + own.untouched) {
    own.untouched = begin > own.bottom ? begin - own.bottom : 0;
  }
  const std::uint64_t key = StepUpdates::key_of<kAccess>(epoch, place.marks);
  const std::uint32_t tag = quick_tag_in(own.task);
  // A call would have its captures in memory, and wait for them.
  const auto known = [&](const QuickCell& cell, std::uint32_t bytes) __attribute__((always_inline)) {
    return cell.knows<kAccess>(tag, bytes);
  };
  const auto repeat = [&](QuickCell & cell, std::uint32_t bytes) __attribute__((always_inline)) {
    return known(cell, bytes) || cell.repeat<kAccess>(own, bytes, place);
  };
  const auto repeat_all = [&](QuickCell * first, QuickCell * stop, std::uintptr_t address,
                              std::uintptr_t span) __attribute__((always_inline)) {
    QuickCell* cell = first;
    while (cell != stop) {
      const QuickCell before = *cell;
      QuickCell after = before;
      QuickCell* past = stop;
      if (known(before, QuickAccess::kBytes)) {
        // It stays as it is.
      } else if (const StepUpdates::Update* const update = updates.find(before, key)) {
        if (update->makes_log) {
          const std::uintptr_t at = address + static_cast<std::uintptr_t>(cell - first) * span;
          note(at);
          const std::uintptr_t left = kPage - at % kPage;
          const std::size_t in_page =
              span == QuickCell::kLineBytes ? left / QuickCell::kLineBytes : left / QuickCell::kWordBytes;
          if (static_cast<std::size_t>(stop - cell) > in_page) past = cell + in_page;
        }
        own.counts->readers += update->readers;
        after = update->after;
        *cell = after;
      } else if (cell->repeat<kAccess>(own, QuickAccess::kBytes, place)) {
        // What was done follows from the cell, the thread and the place alone.
        after = *cell;
      } else {
        break;
      }
      ++cell;
      cell += after.is_same(before) ? support::count_equal<QuickCell>(cell, past, before)
                                    : support::replace_equal<QuickCell>(cell, past, before, after);
    }
    return static_cast<std::size_t>(cell - first);
  };
  return visit_cells(cells, begin, end, repeat, repeat_all, known, passed);
}

}  // namespace anyorder::events
