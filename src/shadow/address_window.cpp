#include "shadow/address_window.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <stdexcept>

#include "support/check.hpp"

namespace anyorder::shadow {

AddressWindow::AddressWindow(unsigned bits)
    : bits_(bits),
      reservation_(sizeof(std::uint32_t) << kSlotBits, "the owners of shadow memory"),
      owners_(reinterpret_cast<std::uint32_t*>(reservation_.carve(reservation_.bytes()).base())) {
  ANYORDER_CHECK(bits >= 28 && bits <= 46, "a window has 28 to 46 bits");
}

AddressWindow::Clash AddressWindow::claim(AddressRange range) noexcept {
  const unsigned slot_shift = bits_ - kSlotBits;
  const std::uintptr_t past = ((range.end - 1) >> slot_shift) + 1;
  for (std::uintptr_t at = range.begin >> slot_shift; at != past; ++at) {
    const std::uintptr_t slot = at & ((std::uintptr_t{1} << kSlotBits) - 1);
    const auto self = static_cast<std::uint32_t>(at >> kSlotBits) + 1;
    std::uint32_t owner = 0;
    if (!std::atomic_ref(owners_[slot]).compare_exchange_strong(owner, self) && owner != self) {
      return {true, (std::uintptr_t{owner - 1} << bits_) + (slot << slot_shift)};
    }
  }
  return {};
}

bool AddressWindow::admit(AddressRange range) noexcept {
  return range.end <= range.begin || (range.end <= kUserSpaceEnd && !claim(range).found);
}

void AddressWindow::admit_process() {
  for_each_mapping([this](AddressRange mapping, bool accessible) {
    if (!accessible || mapping.bytes() >= kReservation || Reservation::one_has(mapping)) return true;
    const Clash clash = claim(mapping);
    if (clash.found) {
      std::array<char, 320> text;
      std::snprintf(text.data(), text.size(),
                    "anyorder: the program's memory at 0x%zx-0x%zx and that near 0x%zx would share shadow "
                    "memory, because of where the system placed them; run again, or without address space "
                    "randomization (setarch -R <program>), or with less (sysctl vm.mmap_rnd_bits=28)",
                    mapping.begin, mapping.end, clash.with);
      throw std::runtime_error(text.data());
    }
    return true;
  });
}

}  // namespace anyorder::shadow
