// Calls of the hooks: how instrumented code tells of what it does. The hooks are those of
// frontends/compiler_hooks, with ThreadSanitizer's names where they take their place from the return address.
//
// Contract: calls carry the debug location of the access that they tell of: its site is made of it, and where
// there is none, debug information has it for the return address.
#pragma once

#include <cstdint>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <string>

#include "frontends/llvm_pass/accesses.hpp"
#include "frontends/llvm_pass/sites.hpp"

namespace anyorder::llvm_pass {

// Bytes in memory: `bytes` from `begin` on, and again at each step of each dimension, outer ones last.
struct Region {
  struct Dimension {
    llvm::Value* stride;  // 64 bits, signed
    llvm::Value* count;   // 64 bits
  };
  llvm::Value* begin;
  llvm::Value* bytes;  // 64 bits
  llvm::SmallVector<Dimension, 2> dimensions;

  static constexpr unsigned kMostDimensions = 2;
};

class Hooks {
 public:
  explicit Hooks(llvm::Module& module);

  // Before the access, at its place; or of its parts, at theirs.
  void check(const Access& access);
  // Where the builder is. `expression` is what the source calls it; empty: not known.
  void check(llvm::IRBuilderBase& builder, llvm::Value* address, std::uint64_t bytes, bool writes,
             llvm::StringRef expression);
  void check(llvm::IRBuilderBase& builder, const Region& region, bool writes, llvm::StringRef expression);
  void check_vptr_update(llvm::StoreInst& store);
  void check_masked(llvm::IntrinsicInst& intrinsic);

  // These also do what the instruction does, in its stead.
  void replace_copy(llvm::MemIntrinsic& copy);
  void replace_atomic(llvm::Instruction& instruction);

  void tell_of_calls(llvm::Function& function);  // of its begin and its ends

 private:
  // How a hook is called: with the arguments and a site, or under another name where there is none.
  struct Hook {
    std::string with_site;
    std::string otherwise;
    llvm::Type* result;
    llvm::AttributeList attributes = {};
  };
  void check_parts(const Access& access);
  [[nodiscard]] Site site_of(const llvm::Instruction& at, llvm::Value& address, std::uint64_t bytes) const;
  [[nodiscard]] Hook checking(std::string with_site, std::string otherwise) const;
  void call(llvm::IRBuilderBase& builder, const Hook& hook, llvm::ArrayRef<llvm::Value*> arguments,
            llvm::StringRef expression = {});
  void call(llvm::IRBuilderBase& builder, const Hook& hook, llvm::ArrayRef<llvm::Value*> arguments,
            llvm::Constant* site);
  [[nodiscard]] llvm::FunctionCallee atomic(llvm::StringRef operation, unsigned bits, llvm::Type* result,
                                            llvm::ArrayRef<llvm::Type*> parameters);

  llvm::Module& module_;
  llvm::Type* nothing_;
  llvm::Type* address_;
  llvm::IntegerType* length_;
  llvm::IntegerType* number_;  // int
  Sites sites_;
};

}  // namespace anyorder::llvm_pass
