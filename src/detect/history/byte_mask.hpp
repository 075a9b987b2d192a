// Bytes of a word, one bit each, the lowest address in the lowest bit.
#pragma once

#include <cstdint>

namespace anyorder::detect::history {

using ByteMask = std::uint32_t;
inline constexpr ByteMask kAllBytes = 0xff;

// The bytes of an access that begins at the byte `first` of its word.
constexpr ByteMask mask_of(unsigned first, unsigned bytes) noexcept {
  return ((ByteMask{1} << bytes) - 1) << first;
}

}  // namespace anyorder::detect::history
