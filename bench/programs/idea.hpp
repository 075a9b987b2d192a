// The block cipher IDEA: 8 bytes by 52 numbers that are made from a key of 16 bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bench::idea {

constexpr std::size_t kRounds = 8;
constexpr std::size_t kBlockBytes = 8;
constexpr std::size_t kKeyNumbers = 6 * kRounds + 4;

// Each number has 16 bits. As wide as the original has them, which makes a shared word of each.
using KeySchedule = std::array<std::int32_t, kKeyNumbers>;
using UserKey = std::array<std::uint16_t, 8>;
using Block = std::array<std::uint32_t, 4>;  // of 16 bits each

constexpr std::uint32_t kLow16 = 0xffff;
constexpr std::uint32_t kModulus = 0x10001;  // a prime

// Modulo 65537, where 0 stands for 65536.
constexpr std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
  if (a == 0) return (kModulus - b) & kLow16;
  if (b == 0) return (kModulus - a) & kLow16;
  const std::uint32_t product = a * b;
  const std::uint32_t low = product & kLow16;
  const std::uint32_t high = product >> 16U;
  return (low - high + (low < high ? 1U : 0U)) & kLow16;
}

constexpr std::uint32_t add(std::uint32_t a, std::uint32_t b) { return (a + b) & kLow16; }

// By Fermat: a^(p - 2).
constexpr std::uint32_t multiplicative_inverse(std::uint32_t a) {
  std::uint32_t inverse = 1;
  for (std::uint32_t exponent = kModulus - 2; exponent != 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) inverse = multiply(inverse, a);
    a = multiply(a, a);
  }
  return inverse;
}

constexpr std::uint32_t additive_inverse(std::uint32_t a) { return (0x10000 - a) & kLow16; }

constexpr KeySchedule encryption_schedule(const UserKey& key) {
  KeySchedule schedule{};
  UserKey bits = key;
  for (std::size_t made = 0; made < kKeyNumbers; ++made) {
    if (made != 0 && made % 8 == 0) {
      // All 128 bits rotate by 25: by one word and by 9 bits.
      const UserKey before = bits;
      for (std::size_t i = 0; i < 8; ++i) {
        const unsigned high = before[(i + 1) % 8];
        const unsigned low = before[(i + 2) % 8];
        bits[i] = static_cast<std::uint16_t>((high << 9U) | (low >> 7U));
      }
    }
    schedule[made] = bits[made % 8];
  }
  return schedule;
}

// The inverses, in the opposite order. Within rounds the two that are added change places, since the middle
// words of the block do.
constexpr KeySchedule decryption_schedule(const KeySchedule& encryption) {
  KeySchedule schedule{};
  const auto at = [&](std::size_t i) { return static_cast<std::uint32_t>(encryption[i]); };
  for (std::size_t round = 0; round <= kRounds; ++round) {
    const std::size_t from = 6 * (kRounds - round);
    const std::size_t to = 6 * round;
    const bool swapped = round != 0 && round != kRounds;
    schedule[to] = static_cast<std::int32_t>(multiplicative_inverse(at(from)));
    schedule[to + 1] = static_cast<std::int32_t>(additive_inverse(at(from + (swapped ? 2 : 1))));
    schedule[to + 2] = static_cast<std::int32_t>(additive_inverse(at(from + (swapped ? 1 : 2))));
    schedule[to + 3] = static_cast<std::int32_t>(multiplicative_inverse(at(from + 3)));
    if (round < kRounds) {
      schedule[to + 4] = encryption[from - 2];
      schedule[to + 5] = encryption[from - 1];
    }
  }
  return schedule;
}

constexpr Block transformed(const Block& block, const KeySchedule& schedule) {
  std::size_t next = 0;
  const auto key = [&] { return static_cast<std::uint32_t>(schedule[next++]); };
  std::uint32_t a = block[0];
  std::uint32_t b = block[1];
  std::uint32_t c = block[2];
  std::uint32_t d = block[3];
  for (std::size_t round = 0; round < kRounds; ++round) {
    a = multiply(a, key());
    b = add(b, key());
    c = add(c, key());
    d = multiply(d, key());
    const std::uint32_t left = multiply(a ^ c, key());
    const std::uint32_t right = multiply(add(b ^ d, left), key());
    const std::uint32_t both = add(left, right);
    a ^= right;
    d ^= both;
    const std::uint32_t old_b = b;
    b = c ^ right;
    c = old_b ^ both;
  }
  // The last round changes no places.
  const std::uint32_t first = multiply(a, key());
  const std::uint32_t second = add(c, key());
  const std::uint32_t third = add(b, key());
  return {first, second, third, multiply(d, key())};
}

// The cipher's published example.
constexpr UserKey kExampleKey{1, 2, 3, 4, 5, 6, 7, 8};
constexpr Block kExamplePlain{0, 1, 2, 3};
constexpr Block kExampleCipher{0x11fb, 0xed2b, 0x0198, 0x6de5};
static_assert(transformed(kExamplePlain, encryption_schedule(kExampleKey)) == kExampleCipher);
static_assert(transformed(kExampleCipher, decryption_schedule(encryption_schedule(kExampleKey))) ==
              kExamplePlain);

// One block of a text, byte by byte.
inline void transform(const std::uint8_t* from, std::uint8_t* to, const KeySchedule& schedule) {
  Block block{};
  for (std::size_t i = 0; i < block.size(); ++i) {
    block[i] = static_cast<std::uint32_t>(from[2 * i]) | (static_cast<std::uint32_t>(from[2 * i + 1]) << 8U);
  }
  block = transformed(block, schedule);
  for (std::size_t i = 0; i < block.size(); ++i) {
    to[2 * i] = static_cast<std::uint8_t>(block[i]);
    to[2 * i + 1] = static_cast<std::uint8_t>(block[i] >> 8U);
  }
}

}  // namespace bench::idea
