// What serial and concurrent shadow memory have in common: the address space, the mapping of an address to
// the cell of its word or, where that stands for several words, of its line, and what goes with it.
//
//   cell = base + ((address mod 2^kAddressBits) / kCellSpan) * sizeof(P::Cell)
//
// address_window.hpp says why no two addresses in use have the same cell, and how a violation is noticed.
// An address outside all admitted memory has a cell, too, perhaps another's: only admitted memory may be
// accessed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "shadow/address_window.hpp"
#include "shadow/cell.hpp"
#include "shadow/huge_pages.hpp"
#include "shadow/reservation.hpp"
#include "shadow/split_census.hpp"
#include "shadow/split_word.hpp"
#include "shadow/touched_chunks.hpp"

namespace anyorder::shadow {

// Ranges of the three regions of a process do not meet in so many bits of an address.
inline constexpr unsigned kProcessBits = 44;

struct ShadowStatistics {
  std::size_t reserved_bytes = 0;  // of address space
  std::size_t resident_bytes = 0;  // of memory
  std::size_t split_words = 0;     // now
};

// Behind the cells are kBehind bytes for whatever else is to be found from their base.
template <CellPolicy P, unsigned kAddressBits, bool kShared, std::size_t kCellSpan = P::kWordBytes,
          std::size_t kBehind = 0>
class ShadowSpace {
 public:
  using Cell = typename P::Cell;
  static constexpr std::size_t kWordBytes = P::kWordBytes;

  ShadowSpace(const ShadowSpace&) = delete;
  ShadowSpace& operator=(const ShadowSpace&) = delete;

  // Memory that the process got since, to be admitted before its first access. False: it would share cells
  // with other memory of the program, and nothing right can be said about either.
  [[nodiscard]] bool admit(std::uintptr_t address, std::size_t bytes) noexcept {
    return window_.admit({address, address + bytes});
  }
  // Admits what the process has mapped by now; throws std::runtime_error if some of it shares cells. A
  // detector calls it before it gives its verdict.
  void admit_process() { window_.admit_process(); }

  // The program has got this memory, and will probably use all of it.
  void expect(std::uintptr_t address, std::size_t bytes) noexcept {
    const std::uintptr_t offset = offset_of(address);
    const std::size_t in_sequence = std::min<std::size_t>(bytes, kWindow - offset);
    huge_pages_.expect(offset / kCellSpan * sizeof(Cell), in_sequence / kCellSpan * sizeof(Cell));
  }

  // Slow; for the end of a run.
  [[nodiscard]] ShadowStatistics statistics() const {
    return {reservation_.bytes() + window_.reserved_bytes(), reservation_.resident_bytes(), pool_.in_use()};
  }

 protected:
  using Word = SplitWord<P, kShared>;

  static constexpr std::uintptr_t kWindow = std::uintptr_t{1} << kAddressBits;
  static constexpr std::size_t kCellBytes = kWindow / kCellSpan * sizeof(Cell);
  static constexpr std::size_t kFlagBytes = kShared ? TouchedChunks::bytes_for(kAddressBits) : 0;
  // Fewer bytes of cells are cleared rather than given back, which costs page faults at the next use: with 64
  // KiB a check of strassen took 1.5 times as long. What is larger may not be used again soon.
  static constexpr std::size_t kDiscardedFrom = std::size_t{4} << 20U;

  ShadowSpace() : ShadowSpace(std::span<const AddressRange>()) { admit_process(); }
  explicit ShadowSpace(std::span<const AddressRange> memory) {
    for (const AddressRange& range : memory) {
      if (!window_.admit(range)) throw std::runtime_error("anyorder: ranges share shadow memory");
    }
  }
  ~ShadowSpace() = default;

  static constexpr std::uintptr_t offset_of(std::uintptr_t address) noexcept {
    return address & (kWindow - 1);
  }
  static constexpr std::uintptr_t word_of(std::uintptr_t address) noexcept {
    return address & ~std::uintptr_t{kWordBytes - 1};
  }
  [[nodiscard]] Cell& cell_at(std::uintptr_t address) const noexcept {
    return reinterpret_cast<Cell*>(base_)[offset_of(address) / kCellSpan];
  }

  // Calls f(word, from, to) for each word that is touched by [address, address + bytes), with the part of it.
  template <class F>
  [[gnu::always_inline]] static inline void for_each_word(std::uintptr_t address, std::size_t bytes, F f) {
    if (bytes == 0) return;  // or the word around the place would be visited, for no byte of it
    const std::uintptr_t end = address + bytes;
    for (std::uintptr_t word = word_of(address); word < end; word += kWordBytes) {
      f(word, static_cast<unsigned>(std::max(address, word) - word),
        static_cast<unsigned>(std::min<std::uintptr_t>(end - word, kWordBytes)));
    }
  }

  // Calls part(begin, from, to) for the words, or lines, that the range covers in part, and whole(address,
  // bytes) for those in between, once or, where the window begins anew, twice.
  template <class Part, class Whole>
  static void for_parts_and_whole(std::uintptr_t address, std::size_t bytes, Part part, Whole whole) {
    const std::uintptr_t end = address + bytes;
    const std::uintptr_t first = (address + kCellSpan - 1) / kCellSpan * kCellSpan;
    const std::uintptr_t last = end / kCellSpan * kCellSpan;
    if (first > last) {
      if (bytes != 0) part(last, static_cast<unsigned>(address - last), static_cast<unsigned>(end - last));
      return;
    }
    if (address != first) {
      part(first - kCellSpan, static_cast<unsigned>(address - (first - kCellSpan)), unsigned{kCellSpan});
    }
    for (std::uintptr_t at = first; at != last;) {
      const std::size_t piece = std::min(last - at, kWindow - offset_of(at));
      whole(at, piece);
      at += piece;
    }
    if (last != end) part(last, 0U, static_cast<unsigned>(end - last));
  }

  // Clears the cells of whole words or lines, which have nothing elsewhere, within the window. Pages go back
  // to the system if there are `discard_from` bytes of cells or more.
  template <class Clear>
  void clear_cells(std::uintptr_t address, std::size_t bytes, std::size_t discard_from, Clear clear) {
    constexpr std::size_t kPage = Area::kPage;
    const std::size_t begin = offset_of(address) / kCellSpan * sizeof(Cell);
    const std::size_t end = begin + bytes / kCellSpan * sizeof(Cell);
    const std::size_t first_page = (begin + kPage - 1) / kPage * kPage;
    const std::size_t last_page = end / kPage * kPage;
    if (end - begin < discard_from || first_page >= last_page) {
      clear(begin, end);
      return;
    }
    clear(begin, first_page);
    cells_.discard(first_page, last_page - first_page);
    clear(last_page, end);
  }

  AddressWindow window_{kAddressBits};
  // One for all, so that the process has one mapping more, which AddressWindow knows by its size.
  Reservation reservation_{kCellBytes + kBehind + HugePages::bytes_for(kCellBytes + kBehind) +
                               SplitCensus<kShared>::bytes_for(kAddressBits) + Word::Pool::kBytes +
                               kFlagBytes,
                           "shadow memory"};
  Area cells_{reservation_.carve(kCellBytes + kBehind)};
  char* const base_ = cells_.base();
  HugePages huge_pages_{cells_, reservation_};
  SplitCensus<kShared> census_{kAddressBits, reservation_};
  typename Word::Pool pool_{reservation_};
};

}  // namespace anyorder::shadow
