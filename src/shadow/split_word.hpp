// One word, byte by byte: where a cell for the whole word becomes cells for pieces of it, and one again.
//
// Contract: the caller has the word to itself. Never on the path of a whole word that is not split.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "shadow/cell.hpp"
#include "shadow/piece_pool.hpp"

namespace anyorder::shadow {

template <CellPolicy P, bool kShared>
class SplitWord {
 public:
  using Cell = typename P::Cell;
  using Pool = PiecePool<Cell, P::kWordBytes, kShared>;

  // The word's cell is `cell`, wherever the caller holds it.
  SplitWord(Cell& cell, Pool& pool) noexcept : cell_(cell), pool_(pool) {}

  // Calls f(Cell&, address, bytes) once for each longest run of bytes in [from, to) of the word that have
  // the same history, in ascending order. The cell is a copy that lives until f returns. The word is split
  // only as far as f changed something for some bytes alone, and joined if all bytes end up the same.
  template <class F>
  void visit(std::uintptr_t word, unsigned from, unsigned to, F&& f) {
    if (is_split()) {
      visit_pieces(word, from, to, f);
    } else {
      visit_uniform(word, from, to, f);
    }
  }

  [[nodiscard]] bool is_split() const noexcept { return P::is_split(head_of(cell_)); }

  // Makes the word never accessed.
  void forget() noexcept {
    if (is_split()) pool_.give_back(link());
    cell_ = kNever<Cell>;
  }

 private:
  static constexpr unsigned kWord = P::kWordBytes;
  static constexpr unsigned kHalf = std::countr_zero(kWord / 2);

  // The coarsest grain, as a logarithm, of which both are multiples.
  static unsigned common_grain(unsigned from, unsigned to) noexcept {
    return static_cast<unsigned>(std::countr_zero(from | to | kWord / 2));
  }

  [[nodiscard]] std::uint64_t link() const noexcept { return P::link(head_of(cell_)); }
  void set_link(std::uint64_t link) noexcept {
    const std::uint64_t head = P::split_head(link);
    cell_ = kNever<Cell>;
    std::memcpy(&cell_, &head, sizeof head);
  }

  template <class F>
  void visit_uniform(std::uintptr_t word, unsigned from, unsigned to, F& f) {
    Cell part = cell_;
    f(part, word + from, to - from);
    if (same_history(part, cell_)) return;
    if (to - from == kWord) {
      cell_ = part;
      return;
    }
    const unsigned grain = common_grain(from, to);
    const std::uint64_t link = pool_.take(grain);
    Cell* const pieces = pool_.cells(link);
    if (grain == kHalf) {  // by far the most frequent, and two stores
      pieces[0] = from == 0 ? part : cell_;
      pieces[1] = from == 0 ? cell_ : part;
    } else {
      std::fill_n(pieces, kWord >> grain, cell_);
      std::fill(pieces + (from >> grain), pieces + (to >> grain), part);
    }
    set_link(link);
  }

  template <class F>
  void visit_pieces(std::uintptr_t word, unsigned from, unsigned to, F& f) {
    std::uint64_t link = this->link();
    unsigned grain = Pool::grain_of(link);
    Cell* pieces = pool_.cells(link);
    for (unsigned at = from; at != to;) {
      const Cell before = pieces[at >> grain];
      unsigned end = std::min(to, ((at >> grain) + 1) << grain);
      while (end != to && same_history(pieces[end >> grain], before)) end = std::min(to, end + (1U << grain));
      Cell part = before;
      f(part, word + at, end - at);
      if (!same_history(part, before)) {
        const unsigned needed = std::min(grain, common_grain(at, end));
        if (needed != grain) {
          link = refine(link, needed);
          grain = needed;
          pieces = pool_.cells(link);
        }
        for (unsigned i = at >> grain; i != end >> grain; ++i) pieces[i] = part;
      }
      at = end;
    }
    join_if_uniform(pieces, kWord >> grain, link);
  }

  // Moves the pieces to a block of smaller ones.
  std::uint64_t refine(std::uint64_t coarse, unsigned grain) noexcept {
    const std::uint64_t fine = pool_.take(grain);
    const Cell* const from = pool_.cells(coarse);
    Cell* const to = pool_.cells(fine);
    const unsigned ratio = Pool::grain_of(coarse) - grain;
    for (unsigned i = 0; i != kWord >> grain; ++i) to[i] = from[i >> ratio];
    pool_.give_back(coarse);
    set_link(fine);
    return fine;
  }

  [[gnu::always_inline]] inline void join_if_uniform(const Cell* pieces, unsigned count,
                                                     std::uint64_t link) noexcept {
    // Backwards: a program that goes upwards has not come to the last piece yet.
    for (unsigned i = count - 1; i != 0; --i) {
      if (!same_history(pieces[i], pieces[0])) return;
    }
    const Cell whole = pieces[0];
    pool_.give_back(link);
    cell_ = whole;
  }

  Cell& cell_;
  Pool& pool_;
};

}  // namespace anyorder::shadow
