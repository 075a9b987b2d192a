// Accesses of whole ranges in the form of events/quick.hpp: neighbouring words mostly have equal cells, so
// what an access does to one it does to all that follow and equal it, without another decision.
//
// Contract: as quick.hpp, whose cells and thread these are. Each function goes on from `begin` as far as it
// can with what is known, and returns how far: `end`, or an address in the first word for which it cannot.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

// Makes the access of a word of an open line as the step has made one of the like. False: it has not.
// note(address) is called for a cell that gets a log.
template <Access kAccess, class Note>
[[nodiscard]] inline bool repeat_word(QuickThread& own, const StepUpdates& updates, std::uint64_t epoch,
                                      char* cells, std::uintptr_t at, std::uintptr_t pc,
                                      Note&& note) noexcept {
  const QuickCell& line = QuickCell::line_at(cells, at);
  const QuickPlace& place = quick_place_of(own, pc);
  if (!line.is_open() || !place.is(pc, own.context)) return false;
  QuickCell& cell = line.words(cells)[QuickCell::word_in_line(at)];
  const StepUpdates::Update* const update =
      updates.find(cell, StepUpdates::key_of<kAccess>(epoch, place.marks));
  if (update == nullptr) return false;
  cell = update->after;
  own.counts->readers += update->readers;
  note_touched(own, at);
  if ((update->effects & StepUpdates::kMakesLog) != 0) note(at);
  return true;
}
// Makes accesses as those before at this place, or as the step has made them: for a few words, each by
// itself.
template <Access kAccess, class Note>
[[nodiscard, gnu::always_inline]] inline std::uintptr_t repeat_few(QuickThread& own,
                                                                   const StepUpdates& updates,
                                                                   std::uint64_t epoch, char* cells,
                                                                   std::uintptr_t begin, std::uintptr_t end,
                                                                   std::uintptr_t pc, Note&& note) noexcept {
  constexpr std::uintptr_t kWord = QuickCell::kWordBytes;
  if ((begin | end) % kWord != 0) return begin;
  std::uintptr_t at = begin;
  for (; at != end; at += kWord) {
    const QuickResult result = repeat_access<kAccess, kWord>(own, cells, at, pc);
    if (result == QuickResult::missed) {
      if (!repeat_word<kAccess>(own, updates, epoch, cells, at, pc, note)) break;
    } else if (result == QuickResult::quiet) {
      ++own.counts->readers;
    }
  }
  return at;
}
// So many bytes are few.
inline constexpr std::size_t kFewBytes = 32;

// An access of a range, as far as it is the same for all its cells.
struct RangeAccess {
  char* cells;
  const StepUpdates* updates;
  std::uint64_t key;  // of the updates
  std::uintptr_t begin;
  std::uint64_t readers;  // that were found
  std::uint32_t effects;  // of all updates together
  std::uint32_t tag;
};

// Past cells in sequence that the task knows, or of which it has seen the like in this step: how far. In a
// row of a tile there are but a few that are equal: to look at several at once would take longer then.
template <Access kAccess>
[[nodiscard, gnu::always_inline]] inline QuickCell* repeat_cells(RangeAccess& access, QuickCell* cell,
                                                                 QuickCell* stop) noexcept {
  using Halves = StepUpdates::Halves;
  constexpr std::ptrdiff_t kMany = 16;
  const auto halves_at = [](const QuickCell* at) __attribute__((always_inline)) {
    Halves halves;
    std::memcpy(&halves[0], at, sizeof halves[0]);
    std::memcpy(&halves[1], reinterpret_cast<const char*>(at) + sizeof halves[0], sizeof halves[1]);
    return halves;
  };
  const std::uint64_t tag = access.tag;
  const auto covers = [tag](std::uint64_t half) __attribute__((always_inline)) {
    return static_cast<std::uint32_t>(half) == tag && (~(half >> 32U) & QuickAccess::kBytes) == 0;
  };
  while (cell != stop) {
    const Halves before = halves_at(cell);
    const auto is_next = [&]() __attribute__((always_inline)) {
      const Halves next = halves_at(cell);
      return next[0] == before[0] && next[1] == before[1];
    };
    const bool known = kAccess == Access::read
                           ? covers(before[1]) || covers(before[0])
                           : covers(before[0]) && static_cast<std::uint32_t>(before[1]) == 0;
    const StepUpdates::Update* const update = known ? nullptr : access.updates->find(before, access.key);
    if (!known) {
      if (update == nullptr) break;
      access.readers += update->readers;
      access.effects |= update->effects;
    }
    if (known || (update->effects & StepUpdates::kChanges) == 0) {
      ++cell;
      if (stop - cell >= kMany)
        cell += support::count_equal<QuickCell>(cell, stop, std::bit_cast<QuickCell>(before));
      while (cell != stop && is_next()) ++cell;
    } else {
      const QuickCell after = update->after;
      *cell++ = after;
      if (stop - cell >= kMany) {
        cell += support::replace_equal<QuickCell>(cell, stop, std::bit_cast<QuickCell>(before), after);
      }
      while (cell != stop && is_next()) *cell++ = after;
    }
    // What was found to differ is not kept in registers for the next turn, but loaded again.
    asm volatile("" ::: "memory");
  }
  return cell;
}

// The same for a range, from `at` on, up to the end of an open line of which all words are in it. Short, so
// that the processor's registers have all it needs.
template <Access kAccess>
[[nodiscard, gnu::noinline]] inline std::uintptr_t repeat_updates(RangeAccess& access, std::uintptr_t at,
                                                                  std::uintptr_t end) noexcept {
  constexpr std::uintptr_t kLine = QuickCell::kLineBytes;
  constexpr std::uintptr_t kWord = QuickCell::kWordBytes;
  for (;;) {
    QuickCell* const line = &QuickCell::line_at(access.cells, at);
    if (!line->is_open()) {
      // Cells are in sequence up to the end of the window.
      const std::uintptr_t left = std::min(end - at, QuickCell::kWindow - at % QuickCell::kWindow);
      if (at % kLine != 0 || left < kLine) return at;
      const QuickCell* const cell = repeat_cells<kAccess>(access, line, line + left / kLine);
      if (cell == line) return at;
      at += static_cast<std::uintptr_t>(cell - line) * kLine;
    } else {
      const std::uintptr_t left = std::min(end - at, kLine - at % kLine);
      if (at % kWord != 0 || left < kWord) return at;
      QuickCell* const word = line->words(access.cells) + QuickCell::word_in_line(at);
      const QuickCell* const stop = word + left / kWord;
      const QuickCell* const cell = repeat_cells<kAccess>(access, word, word + left / kWord);
      at += static_cast<std::uintptr_t>(cell - word) * kWord;
      if (cell != stop || (at % kLine == 0 && at - access.begin >= kLine)) return at;
    }
    if (at == end) return at;
  }
}

[[gnu::always_inline]] inline void note_touched(QuickThread& own, std::uintptr_t begin,
                                                std::uintptr_t end) noexcept {
  if (end > own.bottom && begin < own.bottom + own.untouched) {
    own.untouched = begin > own.bottom ? begin - own.bottom : 0;
  }
}

// Goes on with the line or the word at `at`, in the range in part or with those that follow and equal it, as
// a simple access does at this place. False: it is not simple, and nothing was done.
template <Access kAccess>
[[nodiscard, gnu::noinline]] inline bool repeat_cell(QuickThread& own, StepUpdates& updates,
                                                     std::uint64_t epoch, char* cells, std::uintptr_t& at,
                                                     std::uintptr_t end, std::uintptr_t pc) noexcept {
  const QuickPlace& place = quick_place_of(own, pc);
  if (!place.is(pc, own.context)) return false;
  QuickCell* cell = &QuickCell::line_at(cells, at);
  const bool is_open = cell->is_open();
  const std::size_t span = is_open ? QuickCell::kWordBytes : QuickCell::kLineBytes;
  const std::size_t bytes = std::min(end - at, span - at % span);
  if (is_open) cell = cell->words(cells) + QuickCell::word_in_line(at);
  if (bytes != span) {
    const std::uint32_t part = bytes_of_words(at, at + bytes);
    if (!cell->knows<kAccess>(quick_tag_in(own.task), part) &&
        !(is_open && cell->repeat<kAccess>(own, part, place))) {
      return false;
    }
    at += bytes;
    return true;
  }
  const QuickCell before = *cell;
  const std::uint64_t readers = own.counts->readers;
  if (!cell->repeat<kAccess>(own, QuickAccess::kBytes, place)) return false;
  updates.learn(before, *cell, StepUpdates::key_of<kAccess>(epoch, place.marks),
                static_cast<std::uint32_t>(own.counts->readers - readers));
  at = is_open ? repeat_in_words(cells, before, at, end) : repeat_in_lines(cells, before, at, end);
  return true;
}

// The same for many, as the step has made them before, from `at` on. passed(address) is called for lines of
// which all words were visited, note(address) for a page of which a cell may have got a log.
template <Access kAccess, class Passed, class Note>
[[nodiscard, gnu::always_inline]] inline std::uintptr_t repeat_range(
    QuickThread& own, const StepUpdates& updates, std::uint64_t epoch, char* cells, std::uintptr_t begin,
    std::uintptr_t at, std::uintptr_t end, std::uintptr_t pc, Passed&& passed, Note&& note) noexcept {
  constexpr std::uintptr_t kLine = QuickCell::kLineBytes;
  const QuickPlace& place = quick_place_of(own, pc);
  if (!place.is(pc, own.context)) return at;
  note_touched(own, at, end);
  RangeAccess access{.cells = cells,
                     .updates = &updates,
                     .key = StepUpdates::key_of<kAccess>(epoch, place.marks),
                     .begin = begin,
                     .readers = 0,
                     .effects = 0,
                     .tag = quick_tag_in(own.task)};
  std::uintptr_t to;
  std::uintptr_t from = at;
  for (;; from = to) {
    to = repeat_updates<kAccess>(access, from, end);
    if (to % kLine != 0 || to - begin < kLine) break;
    passed(to - kLine);
    if (to == end || to == from) break;
  }
  own.counts->readers += access.readers;
  if ((access.effects & StepUpdates::kMakesLog) != 0) {
    for (std::uintptr_t page = at; page < to; page = page - page % kPage + kPage) note(page);
  }
  return to;
}

}  // namespace anyorder::events
