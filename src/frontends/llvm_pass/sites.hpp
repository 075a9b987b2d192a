// Where checks are in the source: a record for each, in a section of the object (events/site.hpp).
//
// Contract: one for a module. What it hands out belongs to the function it was asked for: the linker drops
// the records of an inline function together with the copies of it that it drops.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <utility>

namespace anyorder::llvm_pass {

class Sites {
 public:
  explicit Sites(llvm::Module& module);

  // What a check in the function hands over as its place, of the type of a length. Null: its return address
  // says more, since the line is not known, or functions are yet to be inlined when the program is linked.
  [[nodiscard]] llvm::Constant* at(llvm::Function& function, const llvm::DILocation* location,
                                   llvm::StringRef expression);

 private:
  [[nodiscard]] llvm::GlobalVariable* record(llvm::Function& function, const llvm::DILocation& location,
                                             llvm::StringRef expression);
  [[nodiscard]] llvm::GlobalVariable* caller(llvm::Function& function, const llvm::DILocation* location);
  [[nodiscard]] llvm::Constant* text(llvm::StringRef text);

  llvm::Module& module_;
  bool are_wanted_;
  llvm::IntegerType* word_;
  llvm::IntegerType* length_;
  llvm::ArrayType* type_;
  llvm::StringMap<llvm::Constant*> texts_;
  llvm::DenseMap<std::pair<const llvm::Function*, const llvm::DILocation*>, llvm::GlobalVariable*> callers_;
};

}  // namespace anyorder::llvm_pass
