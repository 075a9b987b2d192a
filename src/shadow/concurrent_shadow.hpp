// Shadow memory that threads share: as Shadow, with one lock per word, kept in the cell itself.
//
// The protocol. The first 8 bytes of a word's cell, its head, are always read and written atomically. Who
// replaces the head by P::kLocked has the word: the rest of the cell and the pieces of a split word are its
// own until it stores the head again. So a split word's pieces are reached, made, joined and freed under the
// word's lock only. What a detector may do without the lock is to look at a head, and, if cells have no more
// than 8 bytes, to replace one cell by another with replace(): both fail in sight on a word that is locked
// or split.
//
// Contract: any thread may call any member at any time. Callbacks run under a word's lock: they are short,
// do not throw, do not call into the shadow, and make no cell that is split or locked. To forget memory
// while another thread accesses it is a race of the program. The words concerned may then keep what the
// access did; where a cell is larger than its head, the rest may come from another access than the head, or
// be zero; and a split word's block may be lost until the end. No other word is touched: this is why a split
// word's link is in the head, which a page that goes back to the system cannot tear.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "shadow/head_lock.hpp"
#include "shadow/shadow_space.hpp"

namespace anyorder::shadow {

// Lock: HeadLock<P> has the protocol above; VersionLock<P> has one with consistent looks at a word's cell,
// and locks that several words share.
template <CellPolicy P, unsigned kAddressBits = kProcessBits, class Lock = HeadLock<P>>
class ConcurrentShadow : public ShadowSpace<P, kAddressBits, true> {
  using Space = ShadowSpace<P, kAddressBits, true>;

 public:
  using Space::kWordBytes;
  using typename Space::Cell;
  using typename Space::Word;

  // As those of Shadow.
  ConcurrentShadow() = default;
  explicit ConcurrentShadow(std::span<const AddressRange> memory) : Space(memory) {}

  // The head of the cell of the word that holds `address`. It may be P::kLocked, or a split cell's.
  [[nodiscard]] std::uint64_t head(std::uintptr_t address) const noexcept {
    return Lock::atomic_head(Space::cell_at(address)).load(std::memory_order_acquire);
  }

  // Replaces the whole word's cell, if it still is `expected`, which is neither locked nor split.
  [[nodiscard]] bool replace(std::uintptr_t address, Cell expected, Cell desired) noexcept
      requires(sizeof(Cell) == sizeof(std::uint64_t)) {
    touched_.note(Space::offset_of(address));
    auto old = std::bit_cast<std::uint64_t>(expected);
    return Lock::atomic_head(Space::cell_at(address))
        .compare_exchange_strong(old, std::bit_cast<std::uint64_t>(desired), std::memory_order_acq_rel,
                                 std::memory_order_relaxed);
  }

  // The cell of the word that holds `address`, for what the lock's protocol allows without the lock. Who is
  // to change it says so before.
  [[nodiscard]] Cell& place(std::uintptr_t address) const noexcept { return Space::cell_at(address); }
  // Those of the whole words of [address, address + bytes), from a word's beginning on, up to where the
  // window begins anew.
  [[nodiscard]] std::span<Cell> places(std::uintptr_t address, std::size_t bytes) const noexcept {
    const std::size_t in_sequence = std::min<std::size_t>(bytes, Space::kWindow - Space::offset_of(address));
    return {&Space::cell_at(address), in_sequence / kWordBytes};
  }
  // For all words of its chunk, an aligned stretch of kNoted bytes.
  static constexpr std::size_t kNoted = TouchedChunks::kChunk;
  [[gnu::always_inline]] inline void note(std::uintptr_t address) noexcept {
    touched_.note(Space::offset_of(address));
  }

  // Whether that has been said, for each chunk of the window.
  [[nodiscard]] const char* noted() const noexcept { return touched_.flags(); }

  // Calls f(word, from, to) for each word that is touched, without any lock.
  using Space::for_each_word;

  // Calls f(SplitWord&) under the lock of the word that holds `address`.
  template <class F>
  void with_word(std::uintptr_t address, F&& f) {
    note(address);
    Lock word(Space::cell_at(address));
    Word split(word.cell, this->pool_);
    const bool was_split = split.is_split();
    f(split);
    if (was_split != split.is_split()) this->census_.add(Space::offset_of(address), was_split ? -1 : 1);
  }

  // As Shadow::for_each_piece, with one word at a time locked: an access of several words is not one step.
  template <class F>
  void for_each_piece(std::uintptr_t address, std::size_t bytes, F&& f) {
    Space::for_each_word(address, bytes,
                         [&](std::uintptr_t at, unsigned from, unsigned to) { visit_part(at, from, to, f); });
  }

  // As those of Shadow.
  void forget(std::uintptr_t address, std::size_t bytes) noexcept {
    forget_from(address, bytes, Space::kDiscardedFrom);
  }
  void release(std::uintptr_t address, std::size_t bytes) noexcept {
    forget_from(address, bytes, Area::kPage);
  }

 private:
  template <class F>
  void visit_part(std::uintptr_t at, unsigned from, unsigned to, F&& f) {
    with_word(at, [&](Word& word) { word.visit(at, from, to, f); });
  }

  void forget_word(std::uintptr_t at) noexcept {
    Lock word(Space::cell_at(at));
    Word split(word.cell, this->pool_);
    if (split.is_split()) this->census_.add(Space::offset_of(at), -1);
    split.forget();
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
    touched_.take(offset, offset + bytes,
                  [&](std::size_t from, std::size_t to) { forget_used(from, to - from, discard_from); });
  }
  void forget_used(std::size_t offset, std::size_t bytes, std::size_t discard_from) noexcept {
    this->census_.for_each_page_with_splits(offset, offset + bytes, [&](std::size_t from, std::size_t to) {
      for (std::size_t at = from; at != to; at += kWordBytes) {
        if (Lock::may_be_split(Space::cell_at(at))) forget_word(at);
      }
    });
    Space::clear_cells(offset, bytes, discard_from, [&](std::size_t from, std::size_t to) {
      Cell* const end = reinterpret_cast<Cell*>(this->base_ + to);
      for (Cell* cell = reinterpret_cast<Cell*>(this->base_ + from); cell != end; ++cell) {
        if (Lock::is_never(*cell)) continue;
        if constexpr (requires { Lock::clear(*cell); }) {
          // Others have no business there: a lock would take longer than all else.
          if (!Lock::may_be_split(*cell)) {
            Lock::clear(*cell);
            continue;
          }
        }
        forget_word(static_cast<std::size_t>(cell - reinterpret_cast<Cell*>(this->base_)) * kWordBytes);
      }
    });
  }

  TouchedChunks touched_{kAddressBits, this->reservation_};
};

}  // namespace anyorder::shadow
