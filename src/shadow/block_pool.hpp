// Blocks of cells, all of one size, by number. Memory comes from the system, never from malloc, and goes back
// when no block is in use.
//
// Contract: with kShared false all calls come from one thread at a time. With true, any thread may call
// take and give_back; what a block holds is its owner's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <type_traits>

#include "shadow/reservation.hpp"
#include "support/spin_lock.hpp"

namespace anyorder::shadow {

template <bool kShared>
class BlockPool {
 public:
  BlockPool(Area memory, std::size_t block_bytes) noexcept : memory_(memory), block_bytes_(block_bytes) {}

  // The number of a block whose content is not defined.
  [[nodiscard]] std::uint64_t take() noexcept {
    const std::lock_guard hold(lock_);
    std::uint64_t number = first_free_;
    if (number != kNone) {
      std::memcpy(&first_free_, at(number), sizeof number);
    } else {
      number = ever_used_;
      if ((number + 1) * block_bytes_ > memory_.bytes()) fail_when_full();
      ++ever_used_;
    }
    ++in_use_;
    return number;
  }

  void give_back(std::uint64_t number) noexcept {
    const std::lock_guard hold(lock_);
    if (--in_use_ == 0) {
      first_free_ = kNone;
      if (ever_used_ * block_bytes_ >= kKept) memory_.discard(0, Area::rounded(ever_used_ * block_bytes_));
      ever_used_ = 0;
      return;
    }
    std::memcpy(at(number), &first_free_, sizeof number);
    first_free_ = number;
  }

  [[nodiscard]] char* at(std::uint64_t number) const noexcept {
    return memory_.base() + number * block_bytes_;
  }
  // Those below this number are in use or free.
  [[nodiscard]] std::uint64_t ever_used() const noexcept { return ever_used_; }
  [[nodiscard]] std::uint64_t in_use() const noexcept { return in_use_; }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::size_t kKept = std::size_t{1} << 20U;  // not worth a system call to give back

  [[noreturn]] void fail_when_full() const noexcept {
    std::fprintf(
        stderr,
        "anyorder: more than %zu GiB of shadow memory for words whose bytes have different histories; "
        "check the program with a smaller input\n",
        memory_.bytes() >> 30U);
    std::abort();
  }

  Area memory_;
  std::size_t block_bytes_;
  std::uint64_t first_free_ = kNone;  // a free block's first bytes are the number of the next
  std::uint64_t ever_used_ = 0;
  std::uint64_t in_use_ = 0;
  [[no_unique_address]] std::conditional_t<kShared, support::SpinLock, support::NoLock> lock_;
};

}  // namespace anyorder::shadow
