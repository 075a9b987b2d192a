// Parts of an area that the system is asked to back by huge pages: where it is expected that all of it will
// be used. A page fault costs as much as a check of a hundred words or more, and a huge page is one fault
// instead of 512: per 4 KiB, 1.6 µs became 0.4 on the machine where this was measured.
//
// What is expected need not come: a huge page is memory for a single cell, too. So there is a bound, half of
// the machine's memory, within which a larger block gets as many as there are left; and one for the pieces
// into which the system divides the mapping, of which a process may have 65,530.
//
// Contract: any thread, any time. Advice only: nothing is said if it is not taken.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shadow/reservation.hpp"

namespace anyorder::shadow {

class HugePages {
 public:
  static constexpr std::size_t kPage = std::size_t{2} << 20U;  // of x86-64
  static constexpr std::size_t kMostPieces = 1024;

  // Takes as much from the reservation.
  static constexpr std::size_t bytes_for(std::size_t area_bytes) noexcept {
    return Area::rounded(area_bytes / kPage + 2);
  }
  // For an area of that reservation.
  HugePages(const Area& area, Reservation& from) noexcept : HugePages(area, from, pages_allowed()) {}
  HugePages(const Area& area, Reservation& from, std::size_t most_pages) noexcept;

  // These bytes of the area will be used.
  void expect(std::size_t offset, std::size_t bytes) noexcept;

  [[nodiscard]] std::size_t pages() const noexcept { return pages_.load(std::memory_order_relaxed); }

 private:
  [[nodiscard]] static std::size_t pages_allowed() noexcept;

  std::uintptr_t base_;   // of the area
  std::uintptr_t first_;  // the huge page that it begins in
  char* asked_;           // for each from there on: whether it was
  std::size_t most_pages_;
  std::atomic<std::size_t> pages_{0};
  std::atomic<std::size_t> pieces_{0};
};

}  // namespace anyorder::shadow
