// Shadow memory for one thread at a time: from each byte of the program's memory to the detector's cell.
//
// One cell stands for an aligned line of eight words as long as all its bytes have the same history. Else the
// line is open, and each of its words has a cell; where the bytes of a word differ, the word is split, and
// each piece has one. cell.hpp is the contract for P; README.md has the mapping and the costs.
//
// A line is opened when something is done to a part of it. It is closed when the caller says so, which looks
// for equal words where it has been through all of them: a line that is closed at once by one access and
// opened by the next would cost more than it saves.
//
// Contract: one thread at a time, for all calls. Callbacks do not call into the shadow but where that is
// said, do not throw, keep no reference to a cell, and make no cell that P::is_split or P::is_open. Only
// admitted memory is accessed. Memory never comes from malloc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "shadow/block_pool.hpp"
#include "shadow/shadow_space.hpp"

namespace anyorder::shadow {

// Lines, for whom it concerns before there is a shadow.
template <LinePolicy P>
struct Lines {
  static constexpr unsigned kWords = 8;
  static constexpr std::size_t kBytes = kWords * P::kWordBytes;
  static constexpr std::size_t kBlockBytes = kWords * sizeof(typename P::Cell);
  static constexpr std::size_t kAllBlocks = kBlockBytes << P::kBlockBits;
};

template <LinePolicy P, unsigned kAddressBits = kProcessBits>
class Shadow
    : public ShadowSpace<P, kAddressBits, false, Lines<P>::kBytes, std::size_t{Lines<P>::kAllBlocks}> {
  using Space = ShadowSpace<P, kAddressBits, false, Lines<P>::kBytes, std::size_t{Lines<P>::kAllBlocks}>;

 public:
  using Space::kWordBytes;
  using typename Space::Cell;
  static constexpr unsigned kLineWords = Lines<P>::kWords;
  static constexpr std::size_t kLineBytes = Lines<P>::kBytes;
  // Where the blocks of open lines are, in bytes from the cell of address 0 on.
  static constexpr std::size_t kBlocksAt = Space::kCellBytes;

  // For the memory of the process. Throws std::system_error if there is no address space for it, and
  // std::runtime_error if the process is laid out such that memory would share cells.
  Shadow() = default;
  // For these ranges alone, in a window that may be smaller than a process needs.
  explicit Shadow(std::span<const AddressRange> memory) : Space(memory) {}

  // The cell of the line that holds `address`: a mask and an add. If it is not open, it stands for all bytes
  // of the line, and may be changed.
  [[nodiscard]] Cell& line(std::uintptr_t address) noexcept { return Space::cell_at(address); }
  [[nodiscard]] static bool is_open(const Cell& line) noexcept { return P::is_open(line); }
  // Of an open line: the cells of its words.
  [[nodiscard]] Cell* words(const Cell& line) noexcept {
    return reinterpret_cast<Cell*>(blocks_.at(P::block_of(line)));
  }
  // Of a word.
  [[nodiscard]] static bool is_split(const Cell& word) noexcept { return P::is_split(head_of(word)); }

  // Of the word at this address, if it is split: its pieces, all of a length; else none.
  [[nodiscard]] std::span<const Cell> pieces_of(std::uintptr_t address) noexcept {
    Cell& line = this->line(address);
    if (!is_open(line)) return {};
    const Cell& cell = word_in(line, address);
    if (!is_split(cell)) return {};
    const std::uint64_t link = P::link(head_of(cell));
    return {this->pool_.cells(link), kWordBytes >> Word::Pool::grain_of(link)};
  }
  // The word at this address, which is split, has one cell again.
  void join(std::uintptr_t address, const Cell& whole) noexcept {
    Cell& cell = word_in(line(address), address);
    Word(cell, this->pool_).forget();
    cell = whole;
  }
  // That of a word that is not split, or of the line that it is in.
  [[nodiscard]] const Cell& cell_of(std::uintptr_t address) noexcept {
    const Cell& line = this->line(address);
    return is_open(line) ? word_in(line, address) : line;
  }

  // Calls f(Cell&) with the cell of the word that these bytes are of; if that is split, on_piece(Cell&,
  // address, bytes) with those of the pieces, one after the other as long as that returns true. What they do
  // holds for all of the word or the piece. False: the last call has returned that, and changed nothing; or
  // the bytes are more than one piece, but not whole ones.
  template <class F, class OnPiece>
  [[nodiscard, gnu::always_inline]] inline bool update(std::uintptr_t address, std::size_t bytes, F&& f,
                                                       OnPiece&& on_piece) {
    Cell& line = this->line(address);
    if (is_open(line)) [[likely]] {
      Cell& cell = word_in(line, address);
      if (!is_split(cell)) [[likely]]
        return f(cell);
      return for_pieces_of(cell, address, bytes, on_piece);
    }
    Cell changed = line;
    if (!f(changed)) return false;
    if (!same_history(changed, line)) open(address)[word_index(address)] = changed;
    return true;
  }

  // Calls f(Cell&, address, bytes) for the bytes of an access, in ascending order, each once: one call per
  // run of bytes of a word that have the same history. What f does to the cell holds for these bytes alone.
  template <class F>
  void for_each_piece(std::uintptr_t address, std::size_t bytes, F&& f) {
    Space::for_each_word(address, bytes,
                         [&](std::uintptr_t at, unsigned from, unsigned to) { visit_part(at, from, to, f); });
  }

  // The same for long ranges: calls lines(std::span<Cell>, address) for lines in sequence that are not open,
  // words(std::span<Cell>, address) for whole words of an open line, split or not, and part(address, bytes)
  // for what is left, at most a word each, without a cell. They may call for_each_piece, update and close for
  // what they are given.
  template <class OnLines, class OnWords, class OnPart>
  [[gnu::always_inline]] inline void for_range(std::uintptr_t address, std::size_t bytes, OnLines&& lines,
                                               OnWords&& words, OnPart&& part) {
    const std::uintptr_t end = address + bytes;
    for (std::uintptr_t at = address; at != end;) {
      Cell& line = this->line(at);
      const std::uintptr_t stop = std::min(end, at - at % kLineBytes + kLineBytes);
      if (!is_open(line) && stop - at == kLineBytes) {
        const std::span<Cell> run = closed_from(at, end);
        lines(run, at);
        at += run.size() * kLineBytes;
      } else if (is_open(line) && at % kWordBytes == 0 && stop - at >= kWordBytes) {
        const std::span<Cell> run(this->words(line) + word_index(at), (stop - at) / kWordBytes);
        words(run, at);
        at += run.size() * kWordBytes;
      } else {
        const std::uintptr_t word_end = at - at % kWordBytes + kWordBytes;
        const std::size_t length = std::min(stop, word_end) - at;
        part(at, length);
        at += length;
      }
    }
  }

  // Calls f(const Cell&) for the cell of each line, word or piece that is in the range, or partly so.
  template <class F>
  void for_each_cell(std::uintptr_t address, std::size_t bytes, F f) {
    const std::uintptr_t end = address + bytes;
    for (std::uintptr_t at = address - address % kLineBytes; at < end; at += kLineBytes) {
      const Cell& line = this->line(at);
      if (!is_open(line)) {
        f(line);
        continue;
      }
      for (unsigned i = 0; i != kLineWords; ++i) {
        Cell& word = words(line)[i];
        if (!is_split(word)) {
          f(word);
        } else {
          Word(word, this->pool_)
              .visit(at + i * kWordBytes, 0, unsigned{kWordBytes},
                     [&](const Cell& piece, std::uintptr_t, std::size_t) { f(piece); });
        }
      }
    }
  }

  // The line that holds `address` has one cell again, if it is open and all its words have the same history.
  [[gnu::always_inline]] inline void close(std::uintptr_t address) noexcept {
    Cell& line = this->line(address);
    if (!is_open(line)) return;
    const Cell* const words = this->words(line);
    // Backwards: where a program goes upwards, the last words are those that differ.
    for (unsigned i = kLineWords - 1; i != 0; --i) {
      if (!same_history(words[i], words[0])) return;
    }
    // Split words are never the same.
    close_as(address, words[0]);
  }

  // Makes the bytes never accessed. A large range's cells go back to the system; one that was never accessed
  // costs a system call and one look per 2 MiB. Open lines of small ranges stay open: they are the stack and
  // the records of tasks, in use again at once.
  void forget(std::uintptr_t address, std::size_t bytes) noexcept {
    if (bytes <= kFewBytes) [[likely]] {
      forget_few(address, bytes);
    } else {
      forget_from(address, bytes, Space::kDiscardedFrom);
    }
  }
  // The same for memory that is not likely to be used again, as after munmap: gives back every whole page.
  void release(std::uintptr_t address, std::size_t bytes) noexcept {
    forget_from(address, bytes, Area::kPage);
  }

 private:
  using typename Space::Word;

  static constexpr std::size_t kFewBytes = 512;
  // Of blocks, from which on huge pages are asked for.
  static constexpr std::size_t kManyBlocks = std::size_t{1} << 20U;

  static std::size_t word_index(std::uintptr_t address) noexcept { return address % kLineBytes / kWordBytes; }
  [[nodiscard]] Cell& word_in(const Cell& line, std::uintptr_t address) noexcept {
    return words(line)[word_index(address)];
  }

  template <class OnPiece>
  [[nodiscard]] bool for_pieces_of(const Cell& cell, std::uintptr_t address, std::size_t bytes,
                                   OnPiece& on_piece) {
    const std::uint64_t link = P::link(head_of(cell));
    const unsigned grain = Word::Pool::grain_of(link);
    const std::size_t piece_bytes = std::size_t{1} << grain;
    const std::size_t first = (address % kWordBytes) >> grain;
    const std::size_t last = (address % kWordBytes + bytes - 1) >> grain;
    if (first != last && ((address | bytes) & (piece_bytes - 1)) != 0) return false;
    std::uintptr_t at = address >> grain << grain;
    for (std::size_t i = first; i <= last; ++i, at += piece_bytes) {
      if (!on_piece(this->pool_.cells(link)[i], at, piece_bytes)) return false;
    }
    return true;
  }

  // Each word gets the line's cell.
  Cell* open(std::uintptr_t address) noexcept {
    Cell& line = this->line(address);
    const std::uint64_t block = blocks_.take();
    if ((block + 1) * Lines<P>::kBlockBytes > expected_) [[unlikely]]
      expect_blocks();
    auto* const words = reinterpret_cast<Cell*>(blocks_.at(block));
    std::fill_n(words, kLineWords, line);
    line = P::open(block);
    this->census_.add(Space::offset_of(address), 1);
    return words;
  }
  void close_as(std::uintptr_t address, Cell cell) noexcept {
    Cell& line = this->line(address);
    blocks_.give_back(P::block_of(line));
    line = cell;
    this->census_.add(Space::offset_of(address), -1);
  }
  // There will be as many again: they come one after the other.
  [[gnu::noinline]] void expect_blocks() noexcept {
    this->huge_pages_.expect(kBlocksAt + expected_, expected_);
    expected_ *= 2;
  }

  [[nodiscard]] std::span<Cell> closed_from(std::uintptr_t at, std::uintptr_t end) noexcept {
    const std::size_t in_sequence = std::min<std::size_t>(end - at, Space::kWindow - Space::offset_of(at));
    Cell* const first = &line(at);
    Cell* const stop = first + in_sequence / kLineBytes;
    return {first, std::find_if(first + 1, stop, is_open)};
  }

  template <class F>
  void visit_part(std::uintptr_t at, unsigned from, unsigned to, F&& f) {
    Cell& line = this->line(at);
    if (is_open(line)) {
      Word(word_in(line, at), this->pool_).visit(at, from, to, f);
      return;
    }
    Cell part = line;
    f(part, at + from, std::size_t{to - from});
    if (same_history(part, line)) return;
    Word(open(at)[word_index(at)], this->pool_)
        .visit(at, from, to, [&](Cell& cell, std::uintptr_t, std::size_t) { cell = part; });
  }

  // Looks at each line: that costs less than finding out that none is open, and leaves pages alone that were
  // never used.
  void forget_few(std::uintptr_t address, std::size_t bytes) noexcept {
    const std::uintptr_t end = address + bytes;
    for (std::uintptr_t at = address; at != end;) {
      const std::uintptr_t stop = std::min(end, at - at % kLineBytes + kLineBytes);
      Cell& line = this->line(at);
      if (is_open(line)) {
        forget_in(line, at, stop);
      } else if (!same_history(line, kNever<Cell>)) {
        if (stop - at == kLineBytes) {
          line = kNever<Cell>;
        } else {
          open(at);
          forget_in(line, at, stop);
        }
      }
      at = stop;
    }
  }
  // Of an open line.
  [[gnu::always_inline]] inline void forget_in(const Cell& line, std::uintptr_t begin,
                                               std::uintptr_t end) noexcept {
    Cell* word = &word_in(line, begin);
    if ((begin | end) % kWordBytes == 0) [[likely]] {
      for (Cell* const stop = word + (end - begin) / kWordBytes; word != stop; ++word) {
        if (is_split(*word)) [[unlikely]]
          Word(*word, this->pool_).forget();
        *word = kNever<Cell>;
      }
      return;
    }
    Space::for_each_word(begin, end - begin, [&](std::uintptr_t at, unsigned from, unsigned to) {
      Word(word_in(line, at), this->pool_).visit(at, from, to, [](Cell& cell, std::uintptr_t, std::size_t) {
        cell = kNever<Cell>;
      });
    });
  }

  void forget_from(std::uintptr_t address, std::size_t bytes, std::size_t discard_from) noexcept {
    Space::for_parts_and_whole(
        address, bytes,
        [&](std::uintptr_t at, unsigned from, unsigned to) { forget_few(at + from, to - from); },
        [&](std::uintptr_t at, std::size_t length) { forget_whole(at, length, discard_from); });
  }

  // Whole lines, within the window.
  void forget_whole(std::uintptr_t address, std::size_t bytes, std::size_t discard_from) noexcept {
    const std::uintptr_t offset = Space::offset_of(address);
    this->census_.for_each_page_with_splits(offset, offset + bytes, [&](std::size_t from, std::size_t to) {
      for (std::size_t at = from; at != to; at += kLineBytes) {
        const Cell& cell = line(at);
        if (!is_open(cell)) continue;
        forget_in(cell, at, at + kLineBytes);
        close_as(at, kNever<Cell>);
      }
    });
    const bool small = bytes / kLineBytes * sizeof(Cell) < discard_from;
    Space::clear_cells(address, bytes, discard_from, [&](std::size_t from, std::size_t to) {
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

  BlockPool<false> blocks_{Area(this->base_ + kBlocksAt, Lines<P>::kAllBlocks), Lines<P>::kBlockBytes};
  std::size_t expected_ = kManyBlocks;  // of blocks: whether in huge pages was decided
};

}  // namespace anyorder::shadow
