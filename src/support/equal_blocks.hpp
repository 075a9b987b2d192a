// Runs of equal blocks of 16 bytes in an array, several at a time: how many there are, and all of them made
// another one.
//
// Contract: pure but for the array; any type of 16 bytes, aligned to them, that is copied as its bytes.
// Nothing beyond `end` is touched. Plain SSE2, which every x86-64 has.
#pragma once

#include <cstddef>
#include <emmintrin.h>
#include <type_traits>

namespace anyorder::support {

template <class T>
concept Block = std::is_trivially_copyable_v<T> && sizeof(T) == sizeof(__m128i);

// How many of [begin, end), from the first on, equal `value`.
template <Block T>
[[nodiscard, gnu::always_inline]] inline std::size_t count_equal(const T* begin, const T* end,
                                                                 const T& value) noexcept {
  const auto* at = reinterpret_cast<const __m128i*>(begin);
  const auto* const stop = reinterpret_cast<const __m128i*>(end);
  const __m128i wanted = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&value));
  const auto differs = [&](std::ptrdiff_t i) { return _mm_xor_si128(_mm_load_si128(at + i), wanted); };
  const auto is_zero = [](__m128i bits) {
    return _mm_movemask_epi8(_mm_cmpeq_epi8(bits, _mm_setzero_si128())) == 0xffff;
  };
  const auto four_differ = [&](std::ptrdiff_t i) {
    return _mm_or_si128(_mm_or_si128(differs(i), differs(i + 1)),
                        _mm_or_si128(differs(i + 2), differs(i + 3)));
  };
  while (stop - at >= 8 && is_zero(_mm_or_si128(four_differ(0), four_differ(4)))) at += 8;
  if (stop - at >= 4 && is_zero(four_differ(0))) at += 4;
  while (at != stop && is_zero(differs(0))) ++at;
  return static_cast<std::size_t>(at - reinterpret_cast<const __m128i*>(begin));
}

// The same, and they become `other`.
template <Block T>
[[nodiscard, gnu::always_inline]] inline std::size_t replace_equal(T* begin, T* end, const T& value,
                                                                   const T& other) noexcept {
  constexpr std::ptrdiff_t kAtOnce = 4;
  auto* at = reinterpret_cast<__m128i*>(begin);
  auto* const stop = reinterpret_cast<__m128i*>(end);
  const __m128i wanted = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&value));
  const __m128i instead = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&other));
  const auto differs = [&](std::ptrdiff_t i) { return _mm_xor_si128(_mm_load_si128(at + i), wanted); };
  const auto is_zero = [](__m128i bits) {
    return _mm_movemask_epi8(_mm_cmpeq_epi8(bits, _mm_setzero_si128())) == 0xffff;
  };
  while (stop - at >= kAtOnce) {
    if (!is_zero(_mm_or_si128(_mm_or_si128(differs(0), differs(1)), _mm_or_si128(differs(2), differs(3))))) {
      break;
    }
    for (std::ptrdiff_t i = 0; i != kAtOnce; ++i) _mm_store_si128(at + i, instead);
    at += kAtOnce;
  }
  for (; at != stop && is_zero(differs(0)); ++at) _mm_store_si128(at, instead);
  return static_cast<std::size_t>(at - reinterpret_cast<__m128i*>(begin));
}

}  // namespace anyorder::support
