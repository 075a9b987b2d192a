// What stands on a native stack, whichever thread runs it and whatever task is on top: the calls, and the
// initialisations of statics that have begun there.
//
// Contract: one thread at a time runs a stack, and touches its state. A thread says which one it runs before
// it runs any of it; without a word it is the thread's own.
#pragma once

#include "binding/check/call_stack.hpp"

namespace anyorder::binding {

struct StackState {
  unsigned once = 0;  // nested initialisations of statics
  CallStack calls{};
};

inline constinit thread_local StackState t_own_stack;
inline constinit thread_local StackState* t_other_stack = nullptr;  // null: the thread runs its own

inline StackState& this_stack() noexcept { return t_other_stack != nullptr ? *t_other_stack : t_own_stack; }

}  // namespace anyorder::binding
