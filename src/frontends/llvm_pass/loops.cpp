#include "frontends/llvm_pass/loops.hpp"

#include <algorithm>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <utility>

#include "frontends/llvm_pass/switches.hpp"

namespace anyorder::llvm_pass {

using llvm::BasicBlock;
using llvm::Loop;
using llvm::SCEV;

bool Loops::is_certain(const Loop& loop) {
  const auto known = certain_.find(&loop);
  if (known != certain_.end()) return known->second;
  const bool certain = find_certain(loop);
  certain_[&loop] = certain;
  return certain;
}

bool Loops::find_certain(const Loop& loop) {
  if (!loop.isLoopSimplifyForm()) return false;
  const BasicBlock* const exiting = loop.getExitingBlock();
  if (exiting == nullptr || !dominators_.dominates(exiting, loop.getLoopLatch())) return false;
  if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(&loop))) return false;
  // Of loops within, it need not be known when they end, if only they do: they touch nothing but memory.
  for (const Loop* const inner : loop.getLoopsInPreorder()) {
    if (inner == &loop || llvm::isMustProgress(inner)) continue;
    if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(inner))) return false;
  }
  return std::all_of(loop.block_begin(), loop.block_end(), [&](const BasicBlock* block) {
    return std::all_of(block->begin(), block->end(), [&](const llvm::Instruction& instruction) {
      const Effects effects = steps_.of(instruction);
      return !effects.ends_step && !effects.may_stop;
    });
  });
}

std::optional<Executions> Loops::executions_of(const BasicBlock& block, const Loop& loop,
                                               Conditions& conditions) {
  const BasicBlock* const latch = loop.getLoopLatch();
  const BasicBlock* at = &block;
  const SCEV* except = nullptr;
  // Upwards, until a block is reached that is part of each iteration.
  while (!dominators_.dominates(at, latch)) {
    const auto* const node = dominators_.getNode(at);
    if (node == nullptr || node->getIDom() == nullptr) return std::nullopt;
    const BasicBlock* const above = node->getIDom()->getBlock();
    if (!loop.contains(above)) return std::nullopt;
    if (!post_dominators_.dominates(at, above)) {
      const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(above->getTerminator());
      if (branch == nullptr || !branch->isConditional()) return std::nullopt;
      const auto leads_here = [&](unsigned way) {
        const BasicBlock* const next = branch->getSuccessor(way);
        return dominators_.dominates(llvm::BasicBlockEdge(above, next), at) &&
               post_dominators_.dominates(at, next);
      };
      const bool first = leads_here(0);
      if (!first && !leads_here(1)) return std::nullopt;
      const Condition condition{branch->getCondition(), first};
      if (loop.isLoopInvariant(condition.value)) {
        conditions.push_back(condition);
      } else {
        if (except != nullptr) return std::nullopt;
        except = only_one_without(condition, loop);
        if (except == nullptr) return std::nullopt;
      }
    }
    at = above;
  }
  const SCEV* count = evolution_.getBackedgeTakenCount(&loop);
  auto* const length = llvm::Type::getInt64Ty(block.getContext());
  if (evolution_.getTypeSizeInBits(count->getType()) > 64) return std::nullopt;
  count = evolution_.getNoopOrZeroExtend(count, length);
  // What comes before the exit in an iteration is executed once more than what comes after it.
  const bool before = dominators_.dominates(at, loop.getExitingBlock());
  if (before) count = evolution_.getAddExpr(count, evolution_.getOne(length));
  return Executions{count, before && except == nullptr, except};
}

const SCEV* Loops::only_one_without(const Condition& condition, const Loop& loop) {
  const auto* const comparison = llvm::dyn_cast<llvm::ICmpInst>(condition.value);
  if (comparison == nullptr || !comparison->isEquality() || no_exceptions) return nullptr;
  if ((comparison->getPredicate() == llvm::ICmpInst::ICMP_NE) != condition.wanted) return nullptr;
  auto* const type = llvm::dyn_cast<llvm::IntegerType>(comparison->getOperand(0)->getType());
  if (type == nullptr || type->getBitWidth() > 64) return nullptr;
  const SCEV* moving = evolution_.getSCEV(comparison->getOperand(0));
  const SCEV* fixed = evolution_.getSCEV(comparison->getOperand(1));
  if (evolution_.isLoopInvariant(moving, &loop)) std::swap(moving, fixed);
  const auto* const number = llvm::dyn_cast<llvm::SCEVAddRecExpr>(moving);
  if (number == nullptr || number->getLoop() != &loop || !number->isAffine()) return nullptr;
  if (!evolution_.isLoopInvariant(fixed, &loop)) return nullptr;
  // Nor may it come round to where it was.
  const SCEV* const repeated = evolution_.getBackedgeTakenCount(&loop);
  if (evolution_.getUnsignedRangeMax(repeated).getActiveBits() > type->getBitWidth()) return nullptr;
  const SCEV* const stride = number->getStepRecurrence(evolution_);
  const SCEV* iteration = nullptr;
  if (stride->isOne()) iteration = evolution_.getMinusSCEV(fixed, number->getStart());
  if (stride->isAllOnesValue()) iteration = evolution_.getMinusSCEV(number->getStart(), fixed);
  if (iteration == nullptr) return nullptr;
  return evolution_.getNoopOrZeroExtend(iteration, llvm::Type::getInt64Ty(type->getContext()));
}

}  // namespace anyorder::llvm_pass
