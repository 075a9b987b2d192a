// How often values came, in rows that grow by powers of two: 0, 1, 2, 3-4, 5-8, 9-16, and so on.
//
// Contract: one thread.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

namespace anyorder::support {

class PowerHistogram {
 public:
  void add(std::uint64_t value) noexcept {
    ++counts_[row_of(value)];
    ++count_;
    sum_ += value;
    largest_ = std::max(largest_, value);
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }
  [[nodiscard]] std::uint64_t largest() const noexcept { return largest_; }

  // The rows up to that of the largest value.
  [[nodiscard]] std::size_t rows() const noexcept { return count_ == 0 ? 0 : row_of(largest_) + 1; }
  [[nodiscard]] std::uint64_t operator[](std::size_t row) const noexcept { return counts_[row]; }

  [[nodiscard]] static constexpr std::size_t row_of(std::uint64_t value) noexcept {
    return value == 0 ? 0 : 1 + static_cast<std::size_t>(std::bit_width(value - 1));
  }
  // "2" for a row of one value, else "5-8".
  [[nodiscard]] static std::string name_of(std::size_t row) {
    if (row < 3) return std::to_string(row);
    return std::to_string((std::uint64_t{1} << (row - 2)) + 1) + '-' + std::to_string(last_of(row));
  }

 private:
  static constexpr std::size_t kRows = 66;  // 0, and 1 up to 2^0, 2^1, ..., 2^64

  [[nodiscard]] static constexpr std::uint64_t last_of(std::size_t row) noexcept {
    return row + 1 == kRows ? ~std::uint64_t{0} : std::uint64_t{1} << (row - 1);
  }

  std::array<std::uint64_t, kRows> counts_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t largest_ = 0;
};

}  // namespace anyorder::support
