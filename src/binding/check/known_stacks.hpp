// Where stacks lie, so that a race on a local of a task that runs elsewhere can be named.
//
// Contract: any thread; one lock inside. What make() returned may go at any time, but not after this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "binding/check/address_space.hpp"
#include "binding/check/call_stack.hpp"
#include "binding/check/this_stack.hpp"
#include "findings/race.hpp"

namespace anyorder::binding {

class KnownStacks {
 public:
  [[nodiscard]] std::shared_ptr<StackState> make(AddressRange range) {
    std::shared_ptr<StackState> made(new StackState{0, CallStack(CallStack::Untouched{})},
                                     [this](StackState* state) {
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
