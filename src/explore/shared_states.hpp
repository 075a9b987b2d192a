// The states that are known, in memory that processes share: one of them adds, all may ask.
//
// Contract: add() by one thread of one process. Who asks while a state is added gets one answer or the other.
// When it is full, no more are added: the others then find out less early that they know a state.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "explore/digest.hpp"
#include "explore/guide.hpp"

namespace anyorder::exploring {

class SharedStates final : public KnownStates {
 public:
  // A new one, with a descriptor for other processes. Throws std::runtime_error.
  SharedStates();
  // That of another process, whose descriptor is closed.
  explicit SharedStates(int descriptor);
  SharedStates(const SharedStates&) = delete;
  SharedStates& operator=(const SharedStates&) = delete;
  ~SharedStates() override;

  void add(const Digest& state);
  [[nodiscard]] bool contains(const Digest& state) const override;
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  // Free while `low` is 0; `high` is written first.
  struct Place {
    std::atomic<std::uint64_t> low;
    std::atomic<std::uint64_t> high;
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  static constexpr std::size_t kPlaces = std::size_t{1} << 22U;

  void map();
  // Where the state is, or would be.
  [[nodiscard]] Place& place_of(const Digest& state) const;

  int descriptor_ = -1;
  Place* places_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace anyorder::exploring
