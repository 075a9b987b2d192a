// Address space that is backed by memory as it is touched, and reads as zero until then.
//
// Contract: the memory may be used by any thread. discard() may be called while others use other pages; areas
// are carved by one thread at a time, and do not outlive the reservation.
// The system calls are made directly: the tool interposes mmap and munmap to see those of the program.
#pragma once

#include <cstddef>

#include "shadow/process_maps.hpp"

namespace anyorder::shadow {

// A part of a reservation, in whole pages.
class Area {
 public:
  static constexpr std::size_t kPage = 4096;  // of x86-64

  [[nodiscard]] static constexpr std::size_t rounded(std::size_t bytes) noexcept {
    return (bytes + kPage - 1) / kPage * kPage;
  }

  Area(char* base, std::size_t bytes) noexcept : base_(base), bytes_(bytes) {}

  [[nodiscard]] char* base() const noexcept { return base_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

  // Gives pages back to the system; they read as zero afterwards. Both are multiples of kPage.
  void discard(std::size_t offset, std::size_t bytes) noexcept;

 private:
  char* base_;
  std::size_t bytes_;
};

class Reservation {
 public:
  // `purpose` completes "address space for …" in the error. Throws std::system_error, which names the limit
  // that refused and the way to lift it.
  //
  // A large reservation (kLarge or more) lies as low as it can, away from where the system puts a program's
  // new mappings and with room on both sides, so that what is there can grow.
  Reservation(std::size_t bytes, const char* purpose);
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  ~Reservation();

  static constexpr std::size_t kLarge = std::size_t{1} << 40U;

  // The next bytes that belong to no area yet, rounded up to pages. There are so many.
  [[nodiscard]] Area carve(std::size_t bytes) noexcept;

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

  // Bytes of memory behind it. Slow: asks the kernel for every mapping of the process.
  [[nodiscard]] std::size_t resident_bytes() const;

  // Whether a mapping of the process is one of those that a reservation consists of: advice to the system
  // may have made several of it.
  [[nodiscard]] static bool one_has(AddressRange mapping) noexcept;

 private:
  [[nodiscard]] AddressRange range() const noexcept {
    return {reinterpret_cast<std::uintptr_t>(base_), reinterpret_cast<std::uintptr_t>(base_) + bytes_};
  }

  char* base_ = nullptr;
  std::size_t bytes_;
  std::size_t carved_ = 0;
  Reservation* next_ = nullptr;  // in the list of all
};

}  // namespace anyorder::shadow
