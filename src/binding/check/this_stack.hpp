// What stands on a native stack, whichever thread runs it and whatever task is on top: the calls, and the
// initialisations of statics that have begun there.
//
// Contract: one thread at a time runs a stack, and touches its state. A thread says which one it runs before
// it runs any of it; without a word it is the thread's own.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "binding/check/address_space.hpp"
#include "binding/check/call_stack.hpp"

namespace anyorder::binding {

struct StackState {
  CallStack calls;
  unsigned once = 0;  // nested initialisations of statics
};

inline constinit thread_local StackState t_own_stack;
inline constinit thread_local StackState* t_other_stack = nullptr;  // null: the thread runs its own

inline StackState& this_stack() noexcept { return t_other_stack != nullptr ? *t_other_stack : t_own_stack; }

// Where stacks lie, so that a race on a local of a task that runs elsewhere can be named.
//
// Contract: any thread; one lock inside. What make() returned may go at any time, but not after this.
class KnownStacks {
 public:
  [[nodiscard]] std::shared_ptr<StackState> make(AddressRange range) {
    std::shared_ptr<StackState> made(new StackState, [this](StackState* state) {
      remove(*state);
      delete state;
    });
    add(range, *made);
    return made;
  }
  // One that stays.
  void add(AddressRange range, const StackState& state) {
    const std::lock_guard lock(mutex_);
    stacks_.emplace_back(range, &state);
  }
  // As binding::local_at; the local lives on as long as the call takes.
  [[nodiscard]] std::optional<findings::LocalMemory> local_at(std::uintptr_t address) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [range, state] : stacks_) {
      if (range.contains(address)) return local_elsewhere(address, range, state->calls);
    }
    return std::nullopt;
  }

 private:
  void remove(const StackState& state) {
    const std::lock_guard lock(mutex_);
    std::erase_if(stacks_, [&](const auto& known) { return known.second == &state; });
  }

  mutable std::mutex mutex_;  // guards the next
  std::vector<std::pair<AddressRange, const StackState*>> stacks_;
};

}  // namespace anyorder::binding
