// Checks of bytes beside each other become one, where the first of them is made.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Function.h>

#include "frontends/llvm_pass/accesses.hpp"
#include "frontends/llvm_pass/steps.hpp"

namespace anyorder::llvm_pass {

// Makes accesses that need a check larger by the bytes beside them that are surely accessed next, in the same
// step, in the same way, and on the same line of source. Those that then are covered still need their checks:
// see drop_covered.
void join_neighbours(llvm::Function& function, llvm::MutableArrayRef<Access> accesses, const Steps& steps);

// Likewise, where the accesses fill a word, on any lines: each becomes a part of the one that comes first, so
// that a report names its own place (events/site_group.hpp).
void join_words(llvm::Function& function, llvm::MutableArrayRef<Access> accesses, const Steps& steps);

// Whether a report names the same line for both, in all functions that were inlined.
[[nodiscard]] bool are_on_one_line(const Access& a, const Access& b);

}  // namespace anyorder::llvm_pass
