// What is known of a function's memory at each point: which bytes are accessed, at fixed distances from an
// address. For those who drop checks because of others.
#pragma once

#include <cstdint>
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <vector>

#include "frontends/llvm_pass/accesses.hpp"
#include "frontends/llvm_pass/steps.hpp"

namespace anyorder::llvm_pass {

// Bytes at fixed distances from the address that `base` names. It names another one each time it is executed.
struct Fact {
  const llvm::Value* base;
  std::int64_t begin;
  std::int64_t end;
  bool writes;
};

// One for each access; accesses alike share theirs.
class Facts {
 public:
  Facts(const llvm::Function& function, llvm::MutableArrayRef<Access> accesses);

  // Else sets of facts for each block would take longer than the rest of the compilation.
  [[nodiscard]] bool are_few_for(const llvm::Function& function) const;

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(facts_.size()); }
  [[nodiscard]] const Fact& operator[](unsigned number) const { return facts_[number]; }
  [[nodiscard]] Access& access(unsigned i) const { return accesses_[i]; }
  [[nodiscard]] unsigned number_of(unsigned i) const { return number_of_[i]; }
  // By their numbers among the accesses.
  [[nodiscard]] llvm::ArrayRef<unsigned> accesses_at(const llvm::Instruction& instruction) const;
  [[nodiscard]] llvm::ArrayRef<unsigned> facts_about(const llvm::Value& base) const;

  // Whether those that hold have all bytes of fact `number`, as strictly.
  [[nodiscard]] bool cover(const llvm::BitVector& holding, unsigned number) const;

 private:
  llvm::MutableArrayRef<Access> accesses_;
  std::vector<Fact> facts_;
  std::vector<unsigned> number_of_;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<unsigned, 4>> by_base_;
  llvm::DenseMap<const llvm::Instruction*, llvm::SmallVector<unsigned, 2>> at_;
};

// From the block's beginning to its end: which facts hold. `each` is told of every access, before it counts.
template <class Each>
void pass_through(const llvm::BasicBlock& block, const Facts& facts, const Steps& steps,
                  llvm::BitVector& holding, Each each) {
  for (const llvm::Instruction& instruction : block) {
    for (const unsigned i : facts.accesses_at(instruction)) {
      each(i);
      holding.set(facts.number_of(i));
    }
    if (steps.of(instruction).ends_step) holding.reset();
    for (const unsigned old : facts.facts_about(instruction)) holding.reset(old);
  }
}

// From the block's end to its beginning: what surely comes, in the same step. `each` is told of every access,
// before it counts, and returns whether it does.
template <class Each>
void pass_back(const llvm::BasicBlock& block, const Facts& facts, const Steps& steps, llvm::BitVector& coming,
               Each each) {
  for (const llvm::Instruction& instruction : llvm::reverse(block)) {
    const Effects effects = steps.of(instruction);
    if (effects.ends_step || effects.may_stop) coming.reset();
    for (const unsigned later : facts.facts_about(instruction)) coming.reset(later);
    for (const unsigned i : llvm::reverse(facts.accesses_at(instruction))) {
      if (each(i)) coming.set(facts.number_of(i));
    }
  }
}

}  // namespace anyorder::llvm_pass
