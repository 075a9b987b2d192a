// How programs compare what they computed with their serial reference, unseen by any check.
//
// A program whose memory is measured keeps only the fingerprint of its reference, so that the peak is that of
// the work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// Neither counted nor slowed down by instrumentation.
#define ANYORDER_BENCH_UNCHECKED __attribute__((no_sanitize("thread"), noinline))

namespace bench {

template <class T>
ANYORDER_BENCH_UNCHECKED bool same_values(const T* a, const T* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && same_values(a.data(), b.data(), a.size());
}

// Of the values' bits, which have to be in at most eight bytes each, and of their order. Each step is a
// bijection of what was before: values that differ in one place always have different fingerprints.
template <class T>
ANYORDER_BENCH_UNCHECKED std::uint64_t fingerprint(const T* values, std::size_t count) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t print = count;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, values + i, sizeof(T));
    print = (print ^ bits) * 0x9E3779B97F4A7C15U;
    print ^= print >> 29U;
  }
  return print;
}

template <class T>
std::uint64_t fingerprint(const std::vector<T>& values) {
  return fingerprint(values.data(), values.size());
}

}  // namespace bench
