// An array that only grows at its end, in blocks that never move: no copy when it grows, and no moment in
// which it takes its memory twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace anyorder::detect::history {

template <class T>
class Blocks {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  [[nodiscard]] T& operator[](std::uint32_t index) noexcept {
    return blocks_[index >> kBits][index & (kInBlock - 1)];
  }
  [[nodiscard]] const T& operator[](std::uint32_t index) const noexcept {
    return blocks_[index >> kBits][index & (kInBlock - 1)];
  }
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

  // The index of the new element.
  std::uint32_t push_back(const T& value) {
    if ((size_ & (kInBlock - 1)) == 0) [[unlikely]]
      grow();
    (*this)[size_] = value;
    return size_++;
  }

 private:
  [[gnu::noinline]] void grow() { blocks_.push_back(std::make_unique_for_overwrite<T[]>(kInBlock)); }

  static constexpr unsigned kBits = 12;
  static constexpr std::uint32_t kInBlock = std::uint32_t{1} << kBits;

  std::vector<std::unique_ptr<T[]>> blocks_;
  std::uint32_t size_ = 0;
};

}  // namespace anyorder::detect::history
