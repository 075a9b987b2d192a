// Where checks are in the source: a record for each, in a section of the object (events/site.hpp).
//
// Contract: one for a module. What it hands out belongs to the function it was asked for: the linker drops
// the records of an inline function together with the copies of it that it drops.
#pragma once

#include <cstdint>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <map>
#include <string>
#include <tuple>

namespace anyorder::llvm_pass {

struct Site {
  const llvm::DILocation* location;
  std::string expression;
};

class Sites {
 public:
  explicit Sites(llvm::Module& module);

  // What a check in the function hands over as its place, of the type of a length; of several, the first: the
  // others are behind it. Null: its return address says more, since the line is not known, or functions are
  // yet to be inlined when the program is linked.
  [[nodiscard]] llvm::Constant* at(llvm::Function& function, llvm::ArrayRef<Site> sites);

 private:
  // One for all checks of the function that are alike, or that were inlined by the same call.
  [[nodiscard]] llvm::GlobalVariable* record(llvm::Function& function, const llvm::DILocation* location,
                                             llvm::StringRef expression);
  [[nodiscard]] llvm::GlobalVariable* make(llvm::Function& function, llvm::Type* type, const char* section);
  [[nodiscard]] llvm::Constant* offset(llvm::GlobalVariable* to, llvm::GlobalVariable* from,
                                       std::uint64_t within);
  [[nodiscard]] llvm::GlobalVariable* text(llvm::StringRef text);

  llvm::Module& module_;
  bool are_wanted_;
  llvm::IntegerType* word_;
  llvm::IntegerType* length_;
  llvm::ArrayType* type_;
  llvm::StringMap<llvm::GlobalVariable*> texts_;
  // By function, place, and text of the expression.
  std::map<std::tuple<const llvm::Function*, const llvm::DILocation*, const llvm::GlobalVariable*>,
           llvm::GlobalVariable*>
      records_;
};

}  // namespace anyorder::llvm_pass
