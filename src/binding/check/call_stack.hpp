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
  // Callers beyond that many are not told apart: a recursion would have no end of them.
  static constexpr std::size_t kToldApart = 7;

  constexpr CallStack() noexcept : frames_{} {}
  // Leaves the memory for calls, sixteen kilobytes, untouched: nobody reads what was not pushed.
  struct Untouched {};
  explicit CallStack(Untouched) noexcept {}

  void push(const Call& call) noexcept {
    if (depth_ < kKept) frames_[depth_] = {call, 0};
    ++depth_;
  }
  void pop() noexcept {
    if (depth_ > 0) --depth_;
  }
  // The same for a thread that knows the number of the calls that it is in, or does not, 0: it does
  // afterwards what it did before.
  void push(const Call& call, std::uint64_t& context) noexcept {
    const std::size_t at = depth_;
    push(call);
    if (context != 0 && at < kKept) context = frames_[at].context = context_at(at);
  }
  void pop(std::uint64_t& context) noexcept {
    pop();
    if (context != 0) context = known_context();
  }
  [[nodiscard]] std::size_t depth() const noexcept { return depth_; }
  // Back to an earlier depth: an exception or a longjmp may have left functions without a word.
  void cut(std::size_t depth) noexcept {
    if (depth < depth_) depth_ = depth;
  }
  // Calls below that depth are not those of the running task.
  void begin_at(std::size_t depth) noexcept { begin_ = depth; }
  [[nodiscard]] std::size_t task_begin() const noexcept { return begin_; }

  // Calls f(Call) for those of the running task that are told apart, innermost first.
  template <class F>
  void for_each_of_task(F f) const {
    const std::size_t end = kept();
    for (std::size_t i = end; i > begin_ && i + kToldApart > end; --i) f(frames_[i - 1].call);
  }
  // A number that stands for them, never 0: another one for others, but for a chance of 2^-64.
  [[nodiscard]] std::uint64_t context() noexcept {
    const std::size_t end = kept();
    if (end <= begin_) return 1;
    // Each call's number is computed once, from that of its caller.
    std::size_t known = end;
    while (known > begin_ && frames_[known - 1].context == 0) --known;
    for (; known < end; ++known) frames_[known].context = context_at(known);
    return frames_[end - 1].context;
  }

  // The same if it has been computed; else 0.
  [[nodiscard]] std::uint64_t known_context() const noexcept {
    const std::size_t end = kept();
    return end <= begin_ ? 1 : frames_[end - 1].context;
  }

  // Outermost first.
  [[nodiscard]] std::size_t kept() const noexcept { return depth_ < kKept ? depth_ : kKept; }
  [[nodiscard]] const Call& operator[](std::size_t i) const noexcept { return frames_[i].call; }
  [[nodiscard]] bool keeps_innermost() const noexcept { return depth_ <= kKept; }

 private:
  struct Frame {
    Call call;
    std::uint64_t context;  // 0: not computed
  };

  static constexpr std::uint64_t kBase = 0x9e37'79b9'7f4a'7c15U;
  static constexpr std::uint64_t hash_of(const Call& call) noexcept {
    const std::uint64_t mixed = call.call_pc * 0xbf58'476d'1ce4'e5b9U;
    return mixed ^ mixed >> 29U;
  }
  static constexpr std::uint64_t power(std::size_t exponent) noexcept {
    std::uint64_t result = 1;
    for (std::size_t i = 0; i != exponent; ++i) result *= kBase;
    return result;
  }
  // A polynomial in kBase of the last calls, which the next one shifts.
  [[nodiscard]] std::uint64_t context_at(std::size_t i) const noexcept {
    std::uint64_t context = i > begin_ ? frames_[i - 1].context * kBase : 0;
    if (i >= begin_ + kToldApart) context -= hash_of(frames_[i - kToldApart].call) * power(kToldApart);
    context += hash_of(frames_[i].call);
    return context != 0 ? context : 1;
  }

  std::size_t depth_ = 0;
  std::size_t begin_ = 0;
  std::array<Frame, kKept> frames_;
};

}  // namespace anyorder::binding
