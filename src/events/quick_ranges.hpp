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
#include "events/step_updates.hpp"
#include "support/equal_blocks.hpp"

namespace anyorder::events {

// Calls part(cell, bytes) for words of an open line that are in the range in part, the bytes as bits, and
// whole(cell, stop, address, span) for the others, with cells in sequence, each for `span` bytes from the
// address on. Each says how far it came: part by true or false, whole by a cell.
template <class Part, class Whole>
[[nodiscard, gnu::always_inline]] inline std::uintptr_t visit_words(QuickCell* words, std::uintptr_t begin,
                                                                    std::uintptr_t end, Part&& part,
                                                                    Whole&& whole) noexcept {
  constexpr std::uintptr_t kWord = QuickCell::kWordBytes;
  const auto visit_part = [&](std::uintptr_t from, std::uintptr_t to) __attribute__((always_inline)) {
    return part(words[QuickCell::word_in_line(from)],
                QuickCell::bytes_of(from, static_cast<unsigned>(to - from)));
  };
  std::uintptr_t at = begin;
  if (at % kWord != 0) [[unlikely]] {
    const std::uintptr_t next = std::min(end, at - at % kWord + kWord);
    if (!visit_part(at, next)) return at;
    at = next;
  }
  if (end - at >= kWord) {
    QuickCell* const cell = words + QuickCell::word_in_line(at);
    const std::size_t count = (end - at) / kWord;
    const auto visited = static_cast<std::size_t>(whole(cell, cell + count, at, kWord) - cell);
    at += visited * kWord;
    if (visited != count) return at;
  }
  return at == end || visit_part(at, end) ? end : at;
}

// Which bytes of any of its words a range within a line has.
[[nodiscard]] inline std::uint32_t bytes_of_words(std::uintptr_t begin, std::uintptr_t end) noexcept {
  constexpr std::uintptr_t kWord = QuickCell::kWordBytes;
  const std::uintptr_t next = begin - begin % kWord + kWord;
  if (end <= next) return QuickCell::bytes_of(begin, static_cast<unsigned>(end - begin));
  if (begin % kWord == 0 || end - next >= kWord) return QuickAccess::kBytes;
  return QuickCell::bytes_of(begin, static_cast<unsigned>(next - begin)) |
         QuickCell::bytes_of(next, static_cast<unsigned>(end - next));
}

// The same for all lines of a range: whole() also has the cells of lines that are not open, in sequence; and
// known(cell, bytes) says whether nothing is to be done in words of such a line that is in the range in part.
// passed(address) is called for each open line of which all words were visited.
template <class Part, class Whole, class Known, class Passed>
[[nodiscard, gnu::always_inline]] inline std::uintptr_t visit_lines(char* cells, std::uintptr_t begin,
                                                                    std::uintptr_t end, Part&& part,
                                                                    Whole&& whole, Known&& known,
                                                                    Passed&& passed) noexcept {
  constexpr std::uintptr_t kLine = QuickCell::kLineBytes;
  std::uintptr_t at = begin;
  while (at != end) {
    QuickCell& line = QuickCell::line_at(cells, at);
    if (!line.is_open() && at % kLine == 0 && end - at >= kLine) {
      // Cells are in sequence up to the end of the window.
      const std::size_t count = std::min(end - at, QuickCell::kWindow - at % QuickCell::kWindow) / kLine;
      const auto visited = static_cast<std::size_t>(whole(&line, &line + count, at, kLine) - &line);
      if (visited == 0) return at;
      at += visited * kLine;
      continue;
    }
    const std::uintptr_t stop = std::min(end, at - at % kLine + kLine);
    if (!line.is_open()) {
      if (!known(line, bytes_of_words(at, stop))) return at;
    } else {
      const std::uintptr_t reached = visit_words(line.words(cells), at, stop, part, whole);
      if (reached != stop) return reached;
      if (stop - at == kLine) passed(at);
    }
    at = stop;
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
  return 1 + (std::memcmp(&after, &before, sizeof before) == 0
                  ? support::count_equal<QuickCell>(cell + 1, past, before)
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
  return visit_lines(
      cells, begin, end, known,
      [tag](const QuickCell* cell, const QuickCell* stop, std::uintptr_t, std::uintptr_t) {
        while (cell != stop && cell->knows<kAccess>(tag, QuickAccess::kBytes)) {
          ++cell;
          if (stop - cell >= kWorthwhile) cell += support::count_equal(cell, stop, cell[-1]);
        }
        return cell;
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
  while (at != end && (is_known<kAccess, kWord>(cells, quick_tag_in(own.task), at) ||
                       repeat_access<kAccess, kWord>(own, cells, at, pc))) {
    at += kWord;
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
  // A call would have its captures in memory, and wait for them.
  const auto known = [&](const QuickCell& cell, std::uint32_t bytes) __attribute__((always_inline)) {
    return cell.knows<kAccess>(quick_tag_in(own.task), bytes);
  };
  const auto repeat = [&](QuickCell & cell, std::uint32_t bytes) __attribute__((always_inline)) {
    return known(cell, bytes) || cell.repeat<kAccess>(own, bytes, place);
  };
  const auto repeat_all = [&](QuickCell * cell, QuickCell * stop, std::uintptr_t address, std::uintptr_t span)
      __attribute__((always_inline)) {
    const QuickCell* const first = cell;
    while (cell != stop) {
      const QuickCell before = *cell;
      if (known(before, QuickAccess::kBytes)) {
        cell += 1 + support::count_equal<QuickCell>(cell + 1, stop, before);
      } else if (const StepUpdates::Update* const update = updates.find(before, key)) {
        QuickCell* past = stop;
        if (update->makes_log) {
          const std::uintptr_t at = address + static_cast<std::uintptr_t>(cell - first) * span;
          note(at);
          const std::size_t in_page = (kPage - at % kPage) / span;
          if (static_cast<std::size_t>(stop - cell) > in_page) past = cell + in_page;
        }
        own.counts->readers += update->readers;
        *cell = update->after;
        cell += 1 + support::replace_equal<QuickCell>(cell + 1, past, before, update->after);
      } else if (cell->repeat<kAccess>(own, QuickAccess::kBytes, place)) {
        // What was done follows from the cell, the thread and the place alone.
        const QuickCell after = *cell;
        cell += 1 + (std::memcmp(&after, &before, sizeof before) == 0
                         ? support::count_equal<QuickCell>(cell + 1, stop, before)
                         : support::replace_equal(cell + 1, stop, before, after));
      } else {
        break;
      }
    }
    return cell;
  };
  return visit_lines(cells, begin, end, repeat, repeat_all, known, passed);
}

}  // namespace anyorder::events
