// Which memory other tasks cannot access, at least not yet: locals and new heap memory whose address has not
// got out, constants, thread-local variables, tables of virtual functions.
//
// Contract: made for a module before any of it is instrumented; asked about one function after the other.
#pragma once

#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>

namespace anyorder::llvm_pass {

// Whether a function may keep the address that it gets as an argument, so that others can know it afterwards.
class KeptArguments {
 public:
  explicit KeptArguments(llvm::Module& module);

  [[nodiscard]] bool has(const llvm::CallBase& call, const llvm::Use& argument) const;

 private:
  enum class Kept : std::uint8_t {
    no,
    by_result,  // the function returns it, and that is all
    yes,
  };
  void find(const llvm::Argument& argument, unsigned depth);

  llvm::DenseMap<const llvm::Argument*, Kept> known_;
};

// Where the address of an object may get out.
class Escapes {
 public:
  Escapes(const llvm::Value& object, const KeptArguments& kept);

  [[nodiscard]] bool none() const { return !anywhere_ && by_.empty(); }
  [[nodiscard]] bool may_precede(const llvm::Instruction& at) const;

 private:
  bool anywhere_ = false;
  llvm::SmallVector<const llvm::Instruction*, 4> by_;
  llvm::DenseSet<const llvm::BasicBlock*> later_;  // blocks that may begin after it got out
};

class Sharing {
 public:
  Sharing(llvm::Module& module, const llvm::TargetLibraryInfo& library);

  // To be called before each function.
  void begin(const llvm::Function& function);
  // Whether another task may know of what `at` accesses there.
  [[nodiscard]] bool is_possible(const llvm::Value& address, bool writes, const llvm::Instruction& at);

 private:
  [[nodiscard]] bool is_shared(const llvm::Value& object, bool writes, const llvm::Instruction* at);
  [[nodiscard]] bool begins_unknown(const llvm::Value& object) const;

  const llvm::TargetLibraryInfo& library_;
  KeptArguments kept_;
  llvm::DenseSet<const llvm::Function*> run_tasks_;  // whose first argument is a task of theirs alone
  llvm::DenseMap<const llvm::Value*, Escapes> escapes_;
  bool has_plain_ways_ = false;  // the function's graph has all ways through it
};

}  // namespace anyorder::llvm_pass
