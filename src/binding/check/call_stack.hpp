// The calls that a thread is in, as far as they are in instrumented code. Kept by the hooks at function entry
// and exit, so that a report can name callers without unwinding.
//
// Contract: each thread has its own and touches no other. No locks, no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace anyorder::binding {

struct Call {
  std::uintptr_t call_pc;  // the return address in the caller
  std::uintptr_t own_pc;   // an address in the called function
  std::uintptr_t stack;    // the lowest address of its frame
};

class CallStack {
 public:
  // Calls nested deeper than that are counted but not kept.
  static constexpr std::size_t kKept = 512;

  void push(const Call& call) noexcept {
    if (depth_ < kKept) calls_[depth_] = call;
    ++depth_;
  }
  void pop() noexcept {
    if (depth_ > 0) --depth_;
  }
  [[nodiscard]] std::size_t depth() const noexcept { return depth_; }
  // Back to an earlier depth: an exception or a longjmp may have left functions without a word.
  void cut(std::size_t depth) noexcept {
    if (depth < depth_) depth_ = depth;
  }
  // Outermost first.
  [[nodiscard]] std::span<const Call> kept() const noexcept {
    return {calls_.data(), depth_ < kKept ? depth_ : kKept};
  }
  [[nodiscard]] bool keeps_innermost() const noexcept { return depth_ <= kKept; }

 private:
  std::array<Call, kKept> calls_{};
  std::size_t depth_ = 0;
};

}  // namespace anyorder::binding
