// Which parts of the program's memory have cells in use: what lets all of a stack be forgotten at the price
// of the part that was used.
//
// Two levels: a flag per 1 KiB of the program's memory, and one per 64 KiB. Places are offsets in the window,
// not addresses.
//
// Contract: any thread may call any member. Who takes a range is the only one that uses it meanwhile; others
// may use what is beside it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shadow/reservation.hpp"

namespace anyorder::shadow {

class TouchedChunks {
 public:
  static constexpr std::size_t kChunk = std::size_t{1} << 10U;
  static constexpr std::size_t kBlock = std::size_t{1} << 16U;

  static constexpr std::size_t bytes_for(unsigned window_bits) noexcept {
    return Area::rounded(flags_for(window_bits, kChunk)) + Area::rounded(flags_for(window_bits, kBlock));
  }
  // Takes bytes_for(window_bits) from the reservation.
  TouchedChunks(unsigned window_bits, Reservation& from) noexcept
      : chunks_(from.carve(flags_for(window_bits, kChunk)).base()),
        blocks_(from.carve(flags_for(window_bits, kBlock)).base()) {}

  // Of all chunks: whether it was noted.
  [[nodiscard]] const char* flags() const noexcept { return chunks_; }
  // A cell of the chunk is about to be used.
  [[gnu::always_inline]] inline void note(std::size_t offset) noexcept {
    if (!is_set(chunks_[offset / kChunk])) [[unlikely]] {
      set(blocks_[offset / kBlock], true);
      set(chunks_[offset / kChunk], true);
    }
  }

  // Calls f(from, to) for the parts of [begin, end) with cells in use, as long as they come. What was taken
  // whole is not in use from then on.
  template <class F>
  void take(std::size_t begin, std::size_t end, F f) noexcept {
    std::size_t from = end;  // of a part that was found and not yet told
    const auto tell_until = [&](std::size_t to) {
      if (from < to) f(from, to);
      from = end;
    };
    for (std::size_t at = begin; at < end;) {
      if (const std::size_t next = end_of_unset(blocks_, at, kBlock, end); next != at) {
        tell_until(at);
        at = next;
        continue;
      }
      const std::size_t block_end = std::min(end, at / kBlock * kBlock + kBlock);
      if (!is_set(blocks_[at / kBlock])) {
        tell_until(at);
      } else {
        take_chunks(at, block_end, from, tell_until);
        if (block_end - at == kBlock) set(blocks_[at / kBlock], false);
      }
      at = block_end;
    }
    tell_until(end);
  }

 private:
  static constexpr std::size_t flags_for(unsigned window_bits, std::size_t bytes) noexcept {
    return (std::size_t{1} << window_bits) / bytes;
  }
  static bool is_set(char& flag) noexcept {
    return std::atomic_ref(flag).load(std::memory_order_relaxed) != 0;
  }
  static void set(char& flag, bool to) noexcept {
    std::atomic_ref(flag).store(to ? 1 : 0, std::memory_order_relaxed);
  }

  // Where flags from `at` on that are not set end, as far as whole eights of them tell; `at` if they do not.
  static std::size_t end_of_unset(char* flags, std::size_t at, std::size_t bytes, std::size_t end) noexcept {
    using Eight [[gnu::may_alias]] = std::uint64_t;
    if (at % (8 * bytes) != 0) return at;
    const auto* eight = reinterpret_cast<const Eight*>(flags + at / bytes);
    for (; end - at >= 8 * bytes && __atomic_load_n(eight, __ATOMIC_RELAXED) == 0; ++eight) at += 8 * bytes;
    return at;
  }

  template <class TellUntil>
  void take_chunks(std::size_t begin, std::size_t end, std::size_t& from, TellUntil& tell_until) noexcept {
    for (std::size_t at = begin; at < end;) {
      if (const std::size_t next = end_of_unset(chunks_, at, kChunk, end); next != at) {
        tell_until(at);
        at = next;
        continue;
      }
      const std::size_t chunk_end = std::min(end, at / kChunk * kChunk + kChunk);
      if (!is_set(chunks_[at / kChunk])) {
        tell_until(at);
      } else {
        from = std::min(from, at);
        if (chunk_end - at == kChunk) set(chunks_[at / kChunk], false);
      }
      at = chunk_end;
    }
  }

  char* const chunks_;
  char* const blocks_;
};

}  // namespace anyorder::shadow
