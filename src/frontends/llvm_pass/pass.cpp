#include "frontends/llvm_pass/pass.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "frontends/llvm_pass/accesses.hpp"
#include "frontends/llvm_pass/covered.hpp"
#include "frontends/llvm_pass/hooks.hpp"
#include "frontends/llvm_pass/joined.hpp"
#include "frontends/llvm_pass/loops.hpp"
#include "frontends/llvm_pass/ranges.hpp"
#include "frontends/llvm_pass/sharing.hpp"
#include "frontends/llvm_pass/steps.hpp"
#include "frontends/llvm_pass/switches.hpp"

namespace anyorder::llvm_pass {
namespace {

using llvm::Attribute;
using llvm::Function;

constexpr const char* kSignature = ", anyorder";
constexpr unsigned kProducerOperand = 1;  // of a compile unit

bool is_to_be_instrumented(const Function& function) {
  return !function.isDeclaration() && function.hasFnAttribute(Attribute::SanitizeThread) &&
         !function.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) &&
         !function.hasFnAttribute(Attribute::Naked) && !function.hasAvailableExternallyLinkage();
}

class Instrumenter {
 public:
  Instrumenter(llvm::Module& module, const Steps& steps, const llvm::TargetLibraryInfo& library,
               llvm::FunctionAnalysisManager& analyses)
      : steps_(steps), library_(library), sharing_(module, library), analyses_(analyses), hooks_(module) {}

  void instrument(Function& function) {
    if (is_simple(function)) simplify_loops(function);
    Accesses accesses = accesses_of(function, library_, sharing_);
    if (is_simple(function)) drop_checks(function, accesses.plain);

    bool checks = false;
    for (const Access& access : accesses.plain) {
      checks = true;
      if (access.needs_check) hooks_.check(access);
    }
    for (auto* const store : accesses.vptr_updates) hooks_.check_vptr_update(*store);
    for (auto* const copy : accesses.copies) hooks_.replace_copy(*copy);
    for (auto* const instruction : accesses.atomics) hooks_.replace_atomic(*instruction);
    for (auto* const intrinsic : accesses.masked) hooks_.check_masked(*intrinsic);
    checks = checks || !accesses.vptr_updates.empty() || !accesses.copies.empty() ||
             !accesses.masked.empty() || !accesses.atomics.empty();
    if (checks || accesses.has_calls) hooks_.tell_of_calls(function);
  }

 private:
  void simplify_loops(Function& function) {
    auto& loops = analyses_.getResult<llvm::LoopAnalysis>(function);
    auto& dominators = analyses_.getResult<llvm::DominatorTreeAnalysis>(function);
    auto& assumptions = analyses_.getResult<llvm::AssumptionAnalysis>(function);
    bool changed = false;
    for (llvm::Loop* const loop : llvm::SmallVector<llvm::Loop*, 8>(loops.begin(), loops.end())) {
      changed |= llvm::simplifyLoop(loop, &dominators, &loops, nullptr, &assumptions, nullptr, false);
    }
    if (changed) analyses_.invalidate(function, llvm::PreservedAnalyses::none());
  }

  void drop_checks(Function& function, llvm::MutableArrayRef<Access> accesses) {
    if (accesses.empty()) return;
    if (!no_covered) drop_covered(function, accesses, steps_);
    check_whole_loops(function, accesses);
    if (no_covered) return;
    if (!no_neighbours) {
      join_neighbours(function, accesses, steps_);
      drop_covered(function, accesses, steps_);
    }
    if (!no_groups) {
      join_words(function, accesses, steps_);
      drop_covered(function, accesses, steps_);
    }
  }

  void check_whole_loops(Function& function, llvm::MutableArrayRef<Access> accesses) {
    auto& found = analyses_.getResult<llvm::LoopAnalysis>(function);
    if (found.empty()) return;
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function);
    Loops loops(found, analyses_.getResult<llvm::DominatorTreeAnalysis>(function),
                analyses_.getResult<llvm::PostDominatorTreeAnalysis>(function), evolution, steps_);
    check_before_loops(accesses, loops, evolution, hooks_);
  }

  const Steps& steps_;
  const llvm::TargetLibraryInfo& library_;
  Sharing sharing_;
  llvm::FunctionAnalysisManager& analyses_;
  Hooks hooks_;
};

// Reports tell what clang's own instrumentation leaves out, unless the debug information says that it was
// this one.
void sign(llvm::Module& module) {
  for (llvm::DICompileUnit* const unit : module.debug_compile_units()) {
    const auto producer = unit->getProducer();
    if (producer.contains(kSignature)) continue;
    unit->replaceOperandWith(kProducerOperand,
                             llvm::MDString::get(module.getContext(), (producer + kSignature).str()));
  }
}

}  // namespace

llvm::PreservedAnalyses InstrumentPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::SmallVector<Function*, 64> functions;
  for (Function& function : module) {
    if (is_to_be_instrumented(function)) functions.push_back(&function);
  }
  if (functions.empty()) return llvm::PreservedAnalyses::all();
  sign(module);

  const llvm::TargetLibraryInfoImpl known{llvm::Triple(module.getTargetTriple())};
  const llvm::TargetLibraryInfo library(known);
  const Steps steps(module, library);
  auto& of_functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  Instrumenter instrumenter(module, steps, library, of_functions);
  for (Function* const function : functions) {
    instrumenter.instrument(*function);
    of_functions.invalidate(*function, llvm::PreservedAnalyses::none());
    function->removeFnAttr(Attribute::SanitizeThread);
    function->addFnAttr(Attribute::DisableSanitizerInstrumentation);
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace anyorder::llvm_pass
