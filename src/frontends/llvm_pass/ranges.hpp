// Checks of loops, made once before the loop for all that its iterations access.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Analysis/ScalarEvolution.h>

#include "frontends/llvm_pass/accesses.hpp"
#include "frontends/llvm_pass/hooks.hpp"
#include "frontends/llvm_pass/loops.hpp"

namespace anyorder::llvm_pass {

// Takes `needs_check` from accesses whose addresses over a loop, or several, are known when it is entered,
// and checks exactly these before it.
void check_before_loops(llvm::MutableArrayRef<Access> accesses, Loops& loops,
                        llvm::ScalarEvolution& evolution, Hooks& hooks);

}  // namespace anyorder::llvm_pass
