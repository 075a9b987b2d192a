// What the step that runs has done to the lines that it was in last, by byte: of another access to these
// bytes nothing is news, and that is seen without a look at their cells.
//
// Contract: as quick.hpp, whose threads have these. Within a step nobody else changes what is known here: who
// does so in parallel runs before or after it, in a serial run. What is known ends with the step, and with
// the memory: whoever forgets what memory has seen says so by forget_lines, and who ends a step by end_lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "events/quick.hpp"

namespace anyorder::events {

// The bytes of an aligned access in its line.
template <unsigned kBytes>
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t bytes_in_line(std::uintptr_t address) noexcept {
  static_assert(kBytes <= 16);
  return ((std::uint64_t{1} << kBytes) - 1) << address % QuickCell::kLineBytes;
}
// The same for fewer bytes than a line has; none if they are of two.
[[nodiscard]] constexpr std::uint64_t bytes_in_line(std::uintptr_t address, std::size_t bytes) noexcept {
  const std::uintptr_t from = address % QuickCell::kLineBytes;
  return from + bytes > QuickCell::kLineBytes ? 0 : ((std::uint64_t{1} << bytes) - 1) << from;
}
// Those of which a bit of the word's mask says so, for each word of a line the same.
[[nodiscard]] constexpr std::uint64_t bytes_of_all_words(std::uint32_t bytes) noexcept {
  return (bytes & QuickAccess::kBytes) * 0x0101'0101'0101'0101U;
}

// Rows of a matrix are a power of two apart.
[[nodiscard, gnu::always_inline]] inline QuickLine& quick_line_of(const QuickThread& own,
                                                                  std::uintptr_t address) noexcept {
  return own.lines[address / QuickCell::kLineBytes * 0x9e37'79b9'7f4a'7c15U >> (64U - kQuickLineBits)];
}
// Never 0 in a step.
[[nodiscard, gnu::always_inline]] inline std::uint64_t quick_line_key(const QuickThread& own,
                                                                      std::uintptr_t address) noexcept {
  return address / QuickCell::kLineBytes + own.step;
}

// Whether the mask has the bytes of an aligned access.
template <unsigned kBytes>
[[nodiscard, gnu::always_inline]] inline bool has_bytes(const std::uint64_t& mask,
                                                        std::uintptr_t address) noexcept {
  const std::uintptr_t first = address % QuickCell::kLineBytes;
  if constexpr (kBytes % 8 == 0) {
    // Bytes of the mask, which are aligned as well.
    using Bits = std::conditional_t<kBytes == 8, std::uint8_t, std::uint16_t>;
    Bits bits;
    std::memcpy(&bits, reinterpret_cast<const char*>(&mask) + first / 8, sizeof bits);
    return bits == std::numeric_limits<Bits>::max();
  } else {
    constexpr std::uint64_t kAll = (std::uint64_t{1} << kBytes) - 1;
    return (~mask >> first & kAll) == 0;
  }
}

// What is remembered of the address's line, from now on.
[[nodiscard, gnu::always_inline]] inline QuickLine& remembered_line(const QuickThread& own,
                                                                    std::uintptr_t address) noexcept {
  QuickLine& line = quick_line_of(own, address);
  const std::uint64_t key = quick_line_key(own, address);
  if (line.key != key) line = {key, 0, 0, 0};
  return line;
}
// The step has accessed these bytes. Who writes need not read.
template <Access kAccess>
[[gnu::always_inline]] inline void remember(QuickLine& line, std::uint64_t bytes) noexcept {
  line.read |= bytes;
  if constexpr (kAccess == Access::write) line.written |= bytes;
}

// Of the line's bytes those of which a read changes nothing, as QuickCell::stays has it.
[[nodiscard]] inline std::uint64_t quiet_bytes(const QuickThread& own, char* cells,
                                               std::uintptr_t address) noexcept {
  const auto quiet = [&own](const QuickCell& cell) __attribute__((always_inline)) {
    return cell.stays(own, 0) ? cell.reader.marks & QuickAccess::kBytes : 0U;
  };
  const QuickCell& line = QuickCell::line_at(cells, address);
  if (!line.is_open()) return bytes_of_all_words(quiet(line));
  const QuickCell* const words = line.words(cells);
  std::uint64_t bytes = 0;
  for (unsigned i = QuickCell::kLineWords; i != 0; --i) bytes = bytes << 8U | quiet(words[i - 1]);
  return bytes;
}

// The step is over: what comes is another one.
[[gnu::always_inline]] inline void end_lines(QuickThread& own) noexcept {
  tell_counts(own);
  own.step += kQuickNextStep;
  if (own.step == 0) [[unlikely]] {
    // Numbers of steps come again.
    std::fill_n(own.lines, kQuickLines, QuickLine{});
    own.step = kQuickNextStep;
  }
}
inline void forget_lines(QuickThread& own, std::uintptr_t address, std::size_t bytes) noexcept {
  constexpr std::size_t kMany = kQuickLines / 4 * QuickCell::kLineBytes;
  if (bytes > kMany) return end_lines(own);
  for (std::uintptr_t line = address - address % QuickCell::kLineBytes; line < address + bytes;
       line += QuickCell::kLineBytes) {
    quick_line_of(own, line).key = 0;
  }
}

}  // namespace anyorder::events
