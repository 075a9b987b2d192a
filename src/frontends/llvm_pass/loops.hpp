// What a loop allows: whether a check may be made once, before the loop, in the place of its iterations.
//
// Contract: for a function whose loops have been brought into LLVM's simple form; asked before it is changed.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <optional>

#include "frontends/llvm_pass/steps.hpp"

namespace anyorder::llvm_pass {

// That a branch goes one way. The condition does not change while the loop runs.
struct Condition {
  llvm::Value* value;
  bool wanted;

  friend bool operator==(const Condition& a, const Condition& b) {
    return a.value == b.value && a.wanted == b.wanted;
  }
};
using Conditions = llvm::SmallVector<Condition, 2>;

struct Executions {
  const llvm::SCEV* count;  // in 64 bits
  bool at_least_one;        // if all conditions hold
  // Not null: but for the one with this number, from 0 on, such as a particle itself among all particles. In
  // 64 bits; if it is not less than the count, for none.
  const llvm::SCEV* except = nullptr;

  friend bool operator==(const Executions& a, const Executions& b) {
    return a.count == b.count && a.at_least_one == b.at_least_one && a.except == b.except;
  }
};

class Loops {
 public:
  Loops(const llvm::LoopInfo& loops, llvm::DominatorTree& dominators,
        const llvm::PostDominatorTree& post_dominators, llvm::ScalarEvolution& evolution, const Steps& steps)
      : loops_(loops),
        dominators_(dominators),
        post_dominators_(post_dominators),
        evolution_(evolution),
        steps_(steps) {}

  [[nodiscard]] llvm::Loop* innermost(const llvm::BasicBlock& block) const {
    return loops_.getLoopFor(&block);
  }

  // Whether the loop is one step, leaves by one exit alone, and surely ends: then once it is entered, what
  // its iterations do is certain.
  [[nodiscard]] bool is_certain(const llvm::Loop& loop);

  // How often the block of a loop that is certain is executed each time the loop is entered, if that is a
  // matter of the number of iterations, of conditions, which it adds, and of one iteration less.
  [[nodiscard]] std::optional<Executions> executions_of(const llvm::BasicBlock& block, const llvm::Loop& loop,
                                                        Conditions& conditions);

 private:
  [[nodiscard]] bool find_certain(const llvm::Loop& loop);
  // In which iteration of the loop the condition is not as wanted, if that is one at most; else null.
  [[nodiscard]] const llvm::SCEV* only_one_without(const Condition& condition, const llvm::Loop& loop);

  const llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  const llvm::PostDominatorTree& post_dominators_;
  llvm::ScalarEvolution& evolution_;
  const Steps& steps_;
  llvm::DenseMap<const llvm::Loop*, bool> certain_;
};

}  // namespace anyorder::llvm_pass
