// Hashes of 128 bits, so that two different states do not meet by accident in any search that ends.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace anyorder::exploring {

struct Digest {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend constexpr auto operator<=>(const Digest&, const Digest&) = default;

  // Sums of digests do not depend on the order of what is summed up.
  constexpr Digest& operator+=(const Digest& other) noexcept {
    low += other.low;
    high += other.high;
    return *this;
  }
  constexpr Digest& operator-=(const Digest& other) noexcept {
    low -= other.low;
    high -= other.high;
    return *this;
  }
};

constexpr std::uint64_t scrambled(std::uint64_t x) noexcept {
  x ^= x >> 30U;
  x *= 0xBF58476D1CE4E5B9U;
  x ^= x >> 27U;
  x *= 0x94D049BB133111EBU;
  return x ^ x >> 31U;
}

// The digest of a sequence that goes on with one more number.
constexpr Digest folded(const Digest& before, std::uint64_t more) noexcept {
  return {scrambled(before.low ^ (more + 0x9E3779B97F4A7C15U)) + before.high,
          scrambled(before.high + more * 0xD6E8FEB86659FD93U + 0xA0761D6478BD642FU) ^ before.low};
}
constexpr Digest folded(const Digest& before, const Digest& more) noexcept {
  return folded(folded(before, more.low), more.high);
}

inline Digest digest_of(std::string_view bytes) noexcept {
  Digest all = folded(Digest{}, bytes.size());
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t some = bytes.size() < sizeof(word) ? bytes.size() : sizeof(word);
    std::memcpy(&word, bytes.data(), some);
    all = folded(all, word);
    bytes.remove_prefix(some);
  }
  return all;
}

struct DigestHash {
  std::size_t operator()(const Digest& digest) const noexcept { return digest.low; }
};

}  // namespace anyorder::exploring
