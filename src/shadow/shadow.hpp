// Shadow memory for one thread at a time: from each byte of the program's memory to the detector's cell.
//
// One cell stands for an aligned word of P::kWordBytes as long as all its bytes have the same history; where
// they differ, the word is split, and each piece has a cell. cell.hpp is the contract for P; README.md has
// the mapping and the costs.
//
// Contract: one thread at a time, for all calls. Callbacks do not call into the shadow, do not throw, keep
// no reference to a cell, and make no cell that P::is_split. Only admitted memory is accessed. Memory never
// comes from malloc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "shadow/shadow_space.hpp"

namespace anyorder::shadow {

template <CellPolicy P, unsigned kAddressBits = kProcessBits>
class Shadow : public ShadowSpace<P, kAddressBits, false> {
  using Space = ShadowSpace<P, kAddressBits, false>;

 public:
  using Space::kWordBytes;
  using typename Space::Cell;

  // For the memory of the process. Throws std::system_error if there is no address space for it, and
  // std::runtime_error if the process is laid out such that memory would share cells.
  Shadow() = default;
  // For these ranges alone, in a window that may be smaller than a process needs.
  explicit Shadow(std::span<const AddressRange> memory) : Space(memory) {}

  // The cell of the word that holds `address`: a mask and an add. If it is not split, it stands for all
  // bytes of the word, and may be changed.
  [[nodiscard]] Cell& word(std::uintptr_t address) noexcept { return Space::cell_at(address); }

  // The one cell that stands for all of these bytes, which are of one word, and perhaps for others: the
  // word's, or that of a piece. Null: there is none. It may be changed for all bytes that it stands for.
  [[nodiscard, gnu::always_inline]] inline Cell* find(std::uintptr_t address, std::size_t bytes) noexcept {
    Cell& cell = word(address);
    return is_split(cell) ? find_piece(cell, address, bytes) : &cell;
  }
  // Whether it is the cell of a split word, which means nothing by itself.
  [[nodiscard]] static bool is_split(const Cell& cell) noexcept { return P::is_split(head_of(cell)); }

  // Calls f(Cell&, address, bytes) for the bytes of an access, in ascending order, each once: one call per
  // run of bytes of a word that have the same history. What f does to the cell holds for these bytes alone.
  template <class F>
  [[gnu::always_inline]] inline void for_each_piece(std::uintptr_t address, std::size_t bytes, F&& f) {
    if (bytes == kWordBytes && address % kWordBytes == 0) [[likely]] {
      Cell& cell = word(address);
      if (!is_split(cell)) [[likely]] {
        f(cell, address, std::size_t{kWordBytes});
        return;
      }
    }
    Space::for_each_word(address, bytes,
                         [&](std::uintptr_t at, unsigned from, unsigned to) { visit_part(at, from, to, f); });
  }

  // The same for long ranges, with whole words of which none is split as on_words(std::span<Cell>, address),
  // as many at a time as there are, and all else as on_piece(Cell&, address, bytes).
  template <class Words, class Piece>
  void for_range(std::uintptr_t address, std::size_t bytes, Words&& on_words, Piece&& on_piece) {
    Space::for_parts_and_whole(
        address, bytes,
        [&](std::uintptr_t at, unsigned from, unsigned to) { visit_part(at, from, to, on_piece); },
        [&](std::uintptr_t at, std::size_t length) { visit_whole(at, at + length, on_words, on_piece); });
  }

  // Calls part(address, bytes) for the words that the range covers in part, and words(std::span<Cell>,
  // address) for those in between, with their cells in sequence, split or not.
  template <class Part, class Words>
  [[gnu::always_inline]] inline void for_words(std::uintptr_t address, std::size_t bytes, Part&& part,
                                               Words&& words) {
    Space::for_parts_and_whole(
        address, bytes, [&](std::uintptr_t at, unsigned from, unsigned to) { part(at + from, to - from); },
        [&](std::uintptr_t at, std::size_t length) {
          words(std::span<Cell>(&word(at), length / kWordBytes), at);
        });
  }

  // Makes the bytes never accessed. A large range's cells go back to the system; one that was never accessed
  // costs a system call and one look per 2 MiB.
  void forget(std::uintptr_t address, std::size_t bytes) noexcept {
    if (bytes <= kFewBytes && (address | bytes) % kWordBytes == 0 &&
        Space::offset_of(address) <= Space::kWindow - kFewBytes) [[likely]] {
      forget_few(address, bytes);
    } else {
      forget_any(address, bytes);
    }
  }
  // The same for memory that is not likely to be used again, as after munmap: gives back every whole page.
  void release(std::uintptr_t address, std::size_t bytes) noexcept {
    forget_from(address, bytes, Area::kPage);
  }

 private:
  using typename Space::Word;

  [[nodiscard]] Cell* find_piece(const Cell& cell, std::uintptr_t address, std::size_t bytes) noexcept {
    const std::uint64_t link = P::link(head_of(cell));
    const unsigned grain = Word::Pool::grain_of(link);
    const std::size_t first = (address % kWordBytes) >> grain;
    const std::size_t last = (address % kWordBytes + bytes - 1) >> grain;
    return first == last ? this->pool_.cells(link) + first : nullptr;
  }

  // The record of a task, or the stack that one has used: a look at each cell costs less than finding out
  // that none is split, and leaves pages alone that were never used.
  static constexpr std::size_t kFewBytes = 512;

  // Whole words within the window.
  void forget_few(std::uintptr_t address, std::size_t bytes) noexcept {
    Cell* const end = &word(address) + bytes / kWordBytes;
    for (Cell* cell = &word(address); cell != end; ++cell) {
      if (same_history(*cell, kNever<Cell>)) continue;
      if (is_split(*cell)) [[unlikely]]
        forget_pieces(*cell);
      *cell = kNever<Cell>;
    }
  }
  [[gnu::noinline]] void forget_pieces(Cell& cell) noexcept {
    Word(cell, this->pool_).forget();
    this->census_.add(static_cast<std::size_t>(&cell - reinterpret_cast<Cell*>(this->base_)) * kWordBytes,
                      -1);
  }

  template <class F>
  [[gnu::always_inline]] inline void visit_part(std::uintptr_t at, unsigned from, unsigned to, F&& f) {
    Cell& cell = word(at);
    const bool was_split = is_split(cell);
    if (!was_split && to - from == kWordBytes) {
      f(cell, at, std::size_t{kWordBytes});
      return;
    }
    Word(cell, this->pool_).visit(at, from, to, f);
    if (was_split != is_split(cell)) this->census_.add(Space::offset_of(at), was_split ? -1 : 1);
  }

  // Whole words, within the window.
  template <class Words, class Piece>
  void visit_whole(std::uintptr_t at, std::uintptr_t end, Words& on_words, Piece& on_piece) {
    constexpr std::size_t kPage = SplitCensus<false>::kPage;
    std::uintptr_t run = at;  // words of [run, at) are not split, and still to be visited
    const auto visit_run = [&] {
      if (run != at) on_words(std::span<Cell>(&word(run), (at - run) / kWordBytes), run);
    };
    while (at != end) {
      const std::uintptr_t page_end = std::min(end, at / kPage * kPage + kPage);
      if (this->census_.none_in_page(Space::offset_of(at))) {
        at = page_end;
        continue;
      }
      for (; at != page_end; at += kWordBytes) {
        if (!is_split(word(at))) continue;
        visit_run();
        visit_part(at, 0, unsigned{kWordBytes}, on_piece);
        run = at + kWordBytes;
      }
    }
    visit_run();
  }

  [[gnu::noinline]] void forget_any(std::uintptr_t address, std::size_t bytes) noexcept {
    forget_from(address, bytes, Space::kDiscardedFrom);
  }
  void forget_from(std::uintptr_t address, std::size_t bytes, std::size_t discard_from) noexcept {
    Space::for_parts_and_whole(
        address, bytes,
        [&](std::uintptr_t at, unsigned from, unsigned to) {
          visit_part(at, from, to, [](Cell& cell, std::uintptr_t, std::size_t) { cell = kNever<Cell>; });
        },
        [&](std::uintptr_t at, std::size_t length) { forget_whole(at, length, discard_from); });
  }

  // Whole words, within the window.
  void forget_whole(std::uintptr_t address, std::size_t bytes, std::size_t discard_from) noexcept {
    const std::uintptr_t offset = Space::offset_of(address);
    this->census_.for_each_page_with_splits(offset, offset + bytes, [&](std::size_t from, std::size_t to) {
      for (std::size_t at = from; at != to; at += kWordBytes) {
        Cell& cell = word(at);
        if (!is_split(cell)) continue;
        Word(cell, this->pool_).forget();
        this->census_.add(at, -1);
      }
    });
    const bool small = bytes / kWordBytes * sizeof(Cell) < discard_from;
    Space::clear_words(address, bytes, discard_from, [&](std::size_t from, std::size_t to) {
      if (small) {
        std::memset(this->base_ + from, 0, to - from);
      } else {
        clear_if_used(from, to);
      }
    });
  }

  // The ends of a large range: a page that is only read is not backed.
  void clear_if_used(std::size_t from, std::size_t to) noexcept {
    for (Cell& cell : std::span(reinterpret_cast<Cell*>(this->base_ + from), (to - from) / sizeof(Cell))) {
      if (!same_history(cell, kNever<Cell>)) cell = kNever<Cell>;
    }
  }
};

}  // namespace anyorder::shadow
