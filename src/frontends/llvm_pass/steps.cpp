#include "frontends/llvm_pass/steps.hpp"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontends/llvm_pass/switches.hpp"

namespace anyorder::llvm_pass {
namespace {

using llvm::StringRef;

constexpr Effects kNone{false, false};
constexpr Effects kAll{true, true};

// Functions of the C library that return, and are no task operations. Those on memory and strings check what
// they access by themselves.
bool is_harmless(StringRef name) {
  static const llvm::StringSet<> kMath{
      "abs",   "labs", "llabs",  "sin",       "cos",   "tan",   "asin",  "acos",   "atan",      "atan2",
      "sinh",  "cosh", "tanh",   "asinh",     "acosh", "atanh", "exp",   "exp2",   "exp10",     "expm1",
      "log",   "log2", "log10",  "log1p",     "logb",  "sqrt",  "cbrt",  "pow",    "fmod",      "fabs",
      "floor", "ceil", "round",  "trunc",     "rint",  "hypot", "fmin",  "fmax",   "nearbyint", "ldexp",
      "erf",   "fdim", "lround", "remainder", "lrint", "fma",   "ilogb", "llround"};
  static const llvm::StringSet<> kMemory{"memcpy", "memmove", "memset", "memcmp", "bcmp",
                                         "memchr", "strlen",  "strcmp", "strcpy", "strcat",
                                         "strchr", "strncmp", "malloc", "calloc"};
  if (kMemory.contains(name) || kMath.contains(name)) return true;
  return !name.empty() && (name.back() == 'f' || name.back() == 'l') && kMath.contains(name.drop_back());
}

// May throw, but memory that is new has no history to lose.
bool is_allocation(StringRef name) { return name == "_Znwm" || name == "_Znam"; }

bool may_trap(const llvm::Instruction& instruction) {
  const auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
  return operation != nullptr && operation->isIntDivRem() && !llvm::isSafeToSpeculativelyExecute(operation);
}

bool has_cycle(const llvm::Function& function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 4> edges;
  llvm::FindFunctionBackedges(function, edges);
  return !edges.empty();
}

}  // namespace

Effects Steps::of(const llvm::Instruction& instruction) const {
  if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return of_call(*call);
  if (instruction.isAtomic()) return kAll;
  // In a loop, a volatile access is progress enough: the loop may be meant to take for ever.
  const bool stops = instruction.isVolatile() || may_trap(instruction) ||
                     llvm::isa<llvm::ResumeInst, llvm::UnreachableInst>(instruction) ||
                     (instruction.isEHPad() && !llvm::isa<llvm::LandingPadInst>(instruction));
  return {false, stops};
}

Effects Steps::of_call(const llvm::CallBase& call) const {
  const bool returns = call.doesNotThrow() && call.hasFnAttr(llvm::Attribute::WillReturn);
  if (call.hasFnAttr(llvm::Attribute::ReturnsTwice)) return kAll;
  if (llvm::isa<llvm::IntrinsicInst>(call)) return {false, !returns};
  if (call.isInlineAsm()) return call.doesNotAccessMemory() ? Effects{false, !call.doesNotThrow()} : kAll;
  if (call.onlyReadsMemory()) return {false, !returns};
  const llvm::Function* const callee = call.getCalledFunction();
  if (callee == nullptr) return kAll;
  const auto known = functions_.find(callee);
  return known != functions_.end() ? known->second : kAll;
}

// Calls within the functions that call each other count as they are known so far.
Effects Steps::of_body(llvm::Function& function) const {
  Effects effects = kNone;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    effects = effects | of(instruction);
    if (effects.ends_step && effects.may_stop) return effects;
  }
  // Nothing in it is visible from outside, so that a loop has to end if the language says that it makes
  // progress.
  if (!function.mustProgress() && has_cycle(function)) effects.may_stop = true;
  return effects;
}

Steps::Steps(llvm::Module& module, const llvm::TargetLibraryInfo& library) {
  if (no_summaries) return;
  llvm::CallGraph calls(module);
  for (auto group = llvm::scc_begin(&calls); !group.isAtEnd(); ++group) {
    llvm::SmallVector<llvm::Function*, 4> functions;
    for (const llvm::CallGraphNode* const node : *group) {
      llvm::Function* const function = node->getFunction();
      if (function == nullptr || function->isIntrinsic()) continue;
      if (function->isDeclaration()) {
        llvm::LibFunc known{};
        if (!library.getLibFunc(*function, known)) continue;
        if (is_harmless(function->getName())) functions_[function] = kNone;
        if (is_allocation(function->getName())) functions_[function] = {false, true};
      } else if (!function->isInterposable()) {
        functions.push_back(function);
      }
    }
    // Those that call each other: none ends a step unless one does, and each may take for ever.
    const bool recursive = group.hasCycle();
    for (llvm::Function* const function : functions) functions_[function] = {false, recursive};
    Effects together{false, recursive};
    for (llvm::Function* const function : functions) together = together | of_body(*function);
    for (llvm::Function* const function : functions) functions_[function] = together;
  }
}

}  // namespace anyorder::llvm_pass
