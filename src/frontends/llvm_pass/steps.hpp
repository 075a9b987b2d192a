// Which instructions may end a step, and after which the program may not go on: what decides how far a check
// may be moved. A step is a stretch of a task without a task operation.
//
// Contract: made for a module before any of it is instrumented; asked about its instructions, old and new.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace anyorder::llvm_pass {

struct Effects {
  bool ends_step;  // may be, or lead to, a task operation, a release of memory or an atomic operation
  bool may_stop;   // may throw, trap, exit or take for ever: what comes next may not be reached

  friend Effects operator|(Effects a, Effects b) {
    return {a.ends_step || b.ends_step, a.may_stop || b.may_stop};
  }
};

class Steps {
 public:
  // Summarizes the functions of the module, those that are called first.
  Steps(llvm::Module& module, const llvm::TargetLibraryInfo& library);

  [[nodiscard]] Effects of(const llvm::Instruction& instruction) const;

 private:
  [[nodiscard]] Effects of_call(const llvm::CallBase& call) const;
  [[nodiscard]] Effects of_body(llvm::Function& function) const;

  llvm::DenseMap<const llvm::Function*, Effects> functions_;
};

}  // namespace anyorder::llvm_pass
