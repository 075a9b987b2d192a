// An array of records that all threads extend: address space that is backed as it is used, handed to threads
// in blocks by one atomic addition each.
//
// Contract: any thread may take a block. A record is its taker's until it tells others of it. Zero at first.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include "shadow/reservation.hpp"

namespace anyorder::detect::spd3 {

// A block has kBlockBytes.
template <class T, std::uint32_t kBlockBytes = 4096>
class Arena {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr std::uint32_t kBlock = kBlockBytes / sizeof(T);

  // Numbers that are taken and not used yet; a thread's own.
  struct Block {
    std::uint32_t next = 0;
    std::uint32_t end = 0;
    [[nodiscard]] bool empty() const noexcept { return next == end; }
  };

  Arena(shadow::Area memory, std::uint32_t most, const char* of_what) noexcept
      : records_(reinterpret_cast<T*>(memory.base())), most_(most), of_what_(of_what) {}

  [[nodiscard]] static constexpr std::size_t bytes_for(std::uint32_t most) noexcept {
    return shadow::Area::rounded(std::size_t{most} * sizeof(T));
  }

  [[nodiscard]] Block take_block() noexcept {
    const std::uint64_t first = next_.fetch_add(kBlock, std::memory_order_relaxed);
    if (first + kBlock > most_) fail_when_full();
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first) + kBlock};
  }
  [[nodiscard]] T& operator[](std::uint32_t number) const noexcept { return records_[number]; }

  // In blocks that were taken.
  [[nodiscard]] std::uint64_t taken() const noexcept { return next_.load(std::memory_order_relaxed); }

 private:
  [[noreturn]] void fail_when_full() const noexcept {
    std::fprintf(stderr, "anyorder: more than %u %s; check the program with a smaller input\n", most_,
                 of_what_);
    std::abort();
  }

  T* const records_;
  const std::uint32_t most_;
  const char* const of_what_;
  std::atomic<std::uint64_t> next_{0};
};

}  // namespace anyorder::detect::spd3
