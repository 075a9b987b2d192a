// The pass: instruments a module. README.md of this folder says what it does.
#pragma once

#include <llvm/IR/PassManager.h>

namespace anyorder::llvm_pass {

// Instruments the functions that clang marks for ThreadSanitizer, and takes the mark from them, so that its
// own pass leaves them alone.
struct InstrumentPass : llvm::PassInfoMixin<InstrumentPass> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }  // NOLINT(readability-identifier-naming): LLVM's name
};

}  // namespace anyorder::llvm_pass
