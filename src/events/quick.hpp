// The part of a check that is in the checked program itself: an access that is no news to the detector ends
// there, without a call into libanyorder.
//
// This is an interface between objects that were compiled at different times: the archive that a program was
// linked with, and the libanyorder that it runs with. Whoever changes a type or the meaning of a name below
// gives the names another number.
//
// Detectors that take part keep cells in this form, and the slots of their tasks are tags, below 2^31.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// What one thread counts, in 64-bit numbers that the thread alone writes. Accesses are spread over several by
// the address of the code: one number that all accesses change would make each wait for the one before.
struct anyorder_quick_counts {
  std::uint64_t reads[4];
  std::uint64_t writes[4];
};

struct anyorder_quick_thread {
  void* task;                     // the slot of the task that the thread runs; null: nothing is checked
  anyorder_quick_counts* counts;  // not null if the task is not
};

[[gnu::visibility("default")]] extern constinit thread_local anyorder_quick_thread anyorder_quick_thread_1;

// The cell of address 0. Null: the detector takes no part, and is to be called.
[[gnu::visibility("default")]] extern char* anyorder_quick_cells_1;
// Accesses of threads that run no task are to be told, too.
[[gnu::visibility("default")]] extern bool anyorder_quick_watch_1;
}

namespace anyorder::events {

// The task that did something to bytes of a word, as far as it matters here.
struct QuickAccess {
  std::uint32_t tag;
  std::uint32_t marks;  // the lowest 8 bits: the bytes

  [[nodiscard]] bool covers(std::uint32_t by, std::uint32_t bytes) const noexcept {
    return tag == by && (marks & bytes) == bytes;
  }
};

// For each aligned word of 8 bytes.
struct QuickCell {
  static constexpr unsigned kWordBytes = 8;
  static constexpr unsigned kAddressBits = 44;

  QuickAccess writer;
  QuickAccess reader;  // all zero: no byte has been read since it was written

  // The bytes of an access as bits, the word's lowest byte in the lowest bit.
  static constexpr std::uint32_t bytes_of(std::uintptr_t address, unsigned bytes) noexcept {
    return ((1U << bytes) - 1) << (address % kWordBytes);
  }
  static const QuickCell& at(const char* cells, std::uintptr_t address) noexcept {
    constexpr std::uintptr_t kWindow = std::uintptr_t{1} << kAddressBits;
    return reinterpret_cast<const QuickCell*>(cells)[(address & (kWindow - 1)) / kWordBytes];
  }

  // Whether the task has read, or written, all of these bytes of the word, and nobody has changed them since:
  // then another read is no news. A write is none if nobody else has read since.
  [[nodiscard]] bool knows_read(std::uint32_t tag, std::uint32_t bytes) const noexcept {
    return reader.covers(tag, bytes) || writer.covers(tag, bytes);
  }
  [[nodiscard]] bool knows_write(std::uint32_t tag, std::uint32_t bytes) const noexcept {
    return writer.covers(tag, bytes) && reader.tag == 0;
  }
};
static_assert(sizeof(QuickCell) == 16);

// The same for an access of an instruction. Not aligned: not known.
template <unsigned kBytes>
[[gnu::always_inline]] inline bool is_known_read(const char* cells, std::uint32_t tag, std::uintptr_t address) {
  if constexpr (kBytes == 2 * QuickCell::kWordBytes) {
    return is_known_read<kBytes / 2>(cells, tag, address) && is_known_read<kBytes / 2>(cells, tag, address + kBytes / 2);
  } else {
    return address % kBytes == 0 &&
           QuickCell::at(cells, address).knows_read(tag, QuickCell::bytes_of(address, kBytes));
  }
}
template <unsigned kBytes>
[[gnu::always_inline]] inline bool is_known_write(const char* cells, std::uint32_t tag, std::uintptr_t address) {
  if constexpr (kBytes == 2 * QuickCell::kWordBytes) {
    return is_known_write<kBytes / 2>(cells, tag, address) && is_known_write<kBytes / 2>(cells, tag, address + kBytes / 2);
  } else {
    return address % kBytes == 0 &&
           QuickCell::at(cells, address).knows_write(tag, QuickCell::bytes_of(address, kBytes));
  }
}

// Others may read a count at any time.
inline void count_quickly(std::uint64_t (&counts)[4], std::uintptr_t pc) noexcept {
  std::uint64_t& count = counts[pc / 4 % 4];
  __atomic_store_n(&count, count + 1, __ATOMIC_RELAXED);
}

inline std::uint32_t quick_tag_in(const void* task) noexcept {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(task));
}

}  // namespace anyorder::events
