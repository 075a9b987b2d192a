// The way from clang's -fpass-plugin to the pass.
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

#include "frontends/llvm_pass/pass.hpp"

// Before loops are vectorized, when functions have been inlined and simplified; at -O0, and where the linker
// optimizes, too.
extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "anyorder", "1", [](llvm::PassBuilder& builder) {
            builder.registerOptimizerEarlyEPCallback(
                [](llvm::ModulePassManager& passes, llvm::OptimizationLevel /*level*/) {
                  passes.addPass(anyorder::llvm_pass::InstrumentPass());
                });
          }};
}
