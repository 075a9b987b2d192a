// The mapping of addresses into a window of 2^bits bytes, and the proof that no two addresses in use meet
// there.
//
// The window takes an address by its low bits. An x86-64 Linux process has memory in three places: the
// executable with its heap from 0x5555_5555_4000 up (or from 0x40_0000, if not position-independent), and
// libraries, mappings and stacks from 0x7fff_ffff_f000 down. Each is moved up, or down, at random by less
// than 2^40 bytes (vm.mmap_rnd_bits 28, the kernel's default). Modulo 2^44 they begin at 0x000, 0x555…0x655
// and 0xeff…0xfff times 2^32, which leaves each terabytes to grow. With more randomness (up to 32 bits) they
// can meet, with a probability of about their size over 2^44.
//
// What is not left to chance: each 1/65536 of the window belongs to the one stretch of the address space
// that first had memory there. To admit memory of another stretch fails. The check is conservative, by
// less than 2^(bits-16) bytes at each end of a mapping, and a part that is given up keeps its owner.
//
// Contract: any thread may call any member at any time. Nothing here is on the path of an access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shadow/process_maps.hpp"
#include "shadow/reservation.hpp"

namespace anyorder::shadow {

class AddressWindow {
 public:
  // 28 to 46.
  explicit AddressWindow(unsigned bits);

  // Whether memory at `range` has cells of its own; if so, they stay its own. Memory that the process gets
  // later, which admit_process() did not see, is to be admitted before its first access.
  [[nodiscard]] bool admit(AddressRange range) noexcept;

  // Admits all that the process has mapped. Throws std::runtime_error, with both ranges and the way out, if
  // two of them would share cells. To call again, at the end of a run, notices what grew unseen: the heap
  // that brk moves, and stacks.
  //
  // A mapping of kReservation bytes or more is not memory of the program, but address space that a tool has
  // reserved: the shadow itself, another shadow, a sanitizer's; nor are the pieces of a Reservation. One that
  // cannot be read or written is none either, until that changes.
  void admit_process();
  static constexpr std::size_t kReservation = std::size_t{1} << 40U;

  [[nodiscard]] unsigned bits() const noexcept { return bits_; }
  [[nodiscard]] std::size_t reserved_bytes() const noexcept { return reservation_.bytes(); }

 private:
  static constexpr unsigned kSlotBits = 16;

  struct Clash {
    bool found = false;
    std::uintptr_t with = 0;  // where the memory that was there first lies, to a slot's precision
  };
  Clash claim(AddressRange range) noexcept;

  unsigned bits_;
  Reservation reservation_;
  std::uint32_t* owners_;  // 2^kSlotBits of them: the address above the window's bits plus 1; 0: nobody
};

}  // namespace anyorder::shadow
