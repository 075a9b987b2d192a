// Call stacks with all their calls, for a run that is to explain races: a number for each, small enough to go
// with an access. They are the paths of a tree, so that each call which many stacks begin with is there once.
//
// Contract: of one thread, which runs its tasks on one stack. What was entered above a depth is gone once
// something is entered there again; leaving needs no word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "findings/source.hpp"

namespace anyorder::binding {

// 0: no calls.
using StackNumber = std::uint32_t;

class WholeStacks {
 public:
  // A stack that there was no room for.
  static constexpr StackNumber kNotKept = ~StackNumber{0};
  // Of calls in the tree, 28 bytes each: a recursion that branches has no end of them.
  static constexpr std::size_t kMostCalls = std::size_t{1} << 22U;

  explicit WholeStacks(std::size_t most = kMostCalls) : most_(most) {}

  // A function was called from before `return_address`, inside so many other calls.
  void entered(std::size_t depth, std::uintptr_t return_address) {
    if (depth >= calls_.size()) grow(depth);
    calls_[depth] = {return_address, 0};
  }
  // The calls from the depth `begin` on, up to `end`.
  [[nodiscard]] StackNumber at(std::size_t begin, std::size_t end);

  // Their return addresses, innermost first.
  [[nodiscard]] std::vector<std::uintptr_t> callers(StackNumber stack) const;

 private:
  struct Call {
    std::uintptr_t return_address = 0;
    StackNumber stack = 0;  // that ends with it; 0: not asked for since it was entered
  };
  struct Node {
    std::uintptr_t return_address;
    StackNumber caller;
  };

  void grow(std::size_t depth);
  [[nodiscard]] StackNumber child(StackNumber caller, std::uintptr_t return_address);
  [[nodiscard]] std::size_t slot_of(StackNumber caller, std::uintptr_t return_address) const;
  void make_room();

  std::size_t most_;
  std::vector<Call> calls_;         // by depth
  std::vector<Node> nodes_;         // by number less 1
  std::vector<StackNumber> index_;  // by the hash of a node, open; a power of two, or empty
};

// The place with these callers, innermost first. What repeats itself is there once, and of more than so many
// frames only the innermost and some of the outermost: Frame::skipped says what is missing.
inline constexpr std::size_t kMostFrames = 256;
[[nodiscard]] findings::Trace readable_trace(const std::vector<std::uintptr_t>& pcs);

// The calling thread's; null: stacks are not kept whole.
inline constinit thread_local WholeStacks* t_whole_stacks = nullptr;

}  // namespace anyorder::binding
