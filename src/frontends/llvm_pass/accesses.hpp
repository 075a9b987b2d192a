// The memory accesses of a function that have to be checked.
//
// Contract: collected before the function is changed; addresses and instructions stay valid as long as nobody
// removes them.
#pragma once

#include <cstdint>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontends/llvm_pass/sharing.hpp"

namespace anyorder::llvm_pass {

// One of several that have one check.
struct Part {
  llvm::Instruction* at;
  llvm::Value* address;
  std::uint64_t bytes;
};

// Of a number of bytes that is known, made each time that `at` is executed.
struct Access {
  llvm::Instruction* at;
  llvm::Value* address;
  std::uint64_t bytes;
  bool writes;
  bool needs_check = true;
  // If the check is also that of accesses at other places: all of them, in the order of their bytes.
  llvm::SmallVector<Part, 0> parts{};
};

struct Accesses {
  llvm::SmallVector<Access, 32> plain;  // in the order of the instructions in their blocks
  // To be replaced by calls, or to get checks of their own.
  llvm::SmallVector<llvm::StoreInst*, 4> vptr_updates;
  llvm::SmallVector<llvm::MemIntrinsic*, 4> copies;
  llvm::SmallVector<llvm::IntrinsicInst*, 4> masked;
  llvm::SmallVector<llvm::Instruction*, 4> atomics;
  bool has_calls = false;  // of code that may be instrumented
};

[[nodiscard]] Accesses accesses_of(llvm::Function& function, const llvm::TargetLibraryInfo& library,
                                   Sharing& sharing);

// Of a pointer to a table of virtual functions.
[[nodiscard]] bool is_vptr_access(const llvm::Instruction& instruction);

// Whether all ways through the function are in its graph, and it is to be optimized: setjmp may return to a
// function a second time.
[[nodiscard]] bool is_simple(const llvm::Function& function);

}  // namespace anyorder::llvm_pass
