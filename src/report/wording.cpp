#include "report/wording.hpp"

#include <array>
#include <cstdio>

namespace anyorder::report {

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}

std::string fixed(double value, int decimals) {
  std::array<char, 64> digits{};
  std::snprintf(digits.data(), digits.size(), "%.*f", decimals, value);
  return digits.data();
}

std::string bytes_for_people(std::uint64_t bytes) {
  constexpr std::uint64_t kMebi = 1024ULL * 1024;
  if (bytes < kMebi) return std::to_string((bytes + 1023) / 1024) + " KiB";
  if (bytes < 10 * kMebi) return fixed(static_cast<double>(bytes) / kMebi, 1) + " MiB";
  return std::to_string((bytes + kMebi / 2) / kMebi) + " MiB";
}

}  // namespace anyorder::report
