// Checks that say nothing new: another one of the same step covers them.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Function.h>

#include "frontends/llvm_pass/accesses.hpp"
#include "frontends/llvm_pass/steps.hpp"

namespace anyorder::llvm_pass {

// Takes `needs_check` from accesses whose bytes are all checked, as strictly, on every way to them since the
// step began; or, of what a block reads, from those that it surely writes next. A write is as strict as a
// read.
void drop_covered(llvm::Function& function, llvm::MutableArrayRef<Access> accesses, const Steps& steps);

}  // namespace anyorder::llvm_pass
