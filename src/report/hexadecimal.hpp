// Addresses as text.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace anyorder::report {

// "0x1f"
[[nodiscard]] inline std::string hexadecimal(std::uintptr_t address) {
  std::array<char, 2 * sizeof(address)> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), address, 16);
  return "0x" + std::string(digits.data(), written.ptr);
}

}  // namespace anyorder::report
