// How many words are split, by page: what lets whole ranges be taken for uniform without a look at each cell.
//
// Two levels: per 4 KiB of the program's memory, and per 2 MiB, so that a range which nobody touched costs
// one counter per 2 MiB. Places are offsets in the window, not addresses.
//
// Contract: with kShared true, any thread may call any member; a count may then be late by what runs at the
// same time, never for words that only the caller's thread uses.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shadow/reservation.hpp"

namespace anyorder::shadow {

template <bool kShared>
class SplitCensus {
 public:
  static constexpr std::size_t kPage = std::size_t{1} << 12U;

  static constexpr std::size_t bytes_for(unsigned window_bits) noexcept {
    return Area::rounded(page_bytes(window_bits)) + Area::rounded(block_bytes(window_bits));
  }
  // Takes bytes_for(window_bits) from the reservation.
  SplitCensus(unsigned window_bits, Reservation& from) noexcept
      : by_page_(reinterpret_cast<std::uint16_t*>(from.carve(page_bytes(window_bits)).base())),
        by_block_(reinterpret_cast<std::uint32_t*>(from.carve(block_bytes(window_bits)).base())) {}

  // A word at `offset` was split (1) or is split no longer (-1).
  void add(std::size_t offset, int change) noexcept {
    // Upwards before, downwards after: a page's words are in its block's count at any time.
    if (change > 0) {
      count(total_, 1);
      count(block_at(offset), 1);
      count(page_at(offset), 1);
    } else {
      count(page_at(offset), -1);
      count(block_at(offset), -1);
      count(total_, -1);
    }
  }

  [[nodiscard]] std::size_t total() const noexcept { return look(total_); }
  [[nodiscard]] bool none_in_page(std::size_t offset) const noexcept { return look(page_at(offset)) == 0; }

  // Calls f(from, to) for the part in [begin, end) of each page that has split words.
  template <class F>
  void for_each_page_with_splits(std::size_t begin, std::size_t end, F f) const {
    if (total() == 0) return;
    for (std::size_t at = begin; at < end;) {
      if (look(block_at(at)) == 0) {
        at = at / kBlock * kBlock + kBlock;
        continue;
      }
      const std::size_t to = std::min(end, at / kPage * kPage + kPage);
      if (!none_in_page(at)) f(at, to);
      at = to;
    }
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 21U;

  static constexpr std::size_t page_bytes(unsigned window_bits) noexcept {
    return (sizeof(std::uint16_t) << window_bits) / kPage;
  }
  static constexpr std::size_t block_bytes(unsigned window_bits) noexcept {
    return (sizeof(std::uint32_t) << window_bits) / kBlock;
  }

  std::uint16_t& page_at(std::size_t offset) const noexcept { return by_page_[offset / kPage]; }
  std::uint32_t& block_at(std::size_t offset) const noexcept { return by_block_[offset / kBlock]; }
  template <class T>
  static void count(T& counter, int change) noexcept {
    if constexpr (kShared) {
      std::atomic_ref(counter).fetch_add(static_cast<T>(change), std::memory_order_relaxed);
    } else {
      counter = static_cast<T>(counter + static_cast<T>(change));
    }
  }
  template <class T>
  static T look(T& counter) noexcept {
    if constexpr (kShared) return std::atomic_ref(counter).load(std::memory_order_relaxed);
    return counter;
  }

  std::uint16_t* by_page_;
  std::uint32_t* by_block_;
  mutable std::uint64_t total_ = 0;  // atomic_ref reads take no const
};

}  // namespace anyorder::shadow
