#include "frontends/llvm_pass/covered.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <optional>

#include "frontends/llvm_pass/facts.hpp"

namespace anyorder::llvm_pass {
namespace {

using llvm::BasicBlock;
using llvm::BitVector;

void drop_dominated(llvm::Function& function, const Facts& facts, const Steps& steps) {
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  // At the end of a block; nothing: not looked at yet, so that everything may hold.
  llvm::DenseMap<const BasicBlock*, BitVector> at_end;
  const auto at_begin = [&](const BasicBlock& block) {
    std::optional<BitVector> holding;
    if (block.isEntryBlock()) holding.emplace(facts.size());
    for (const BasicBlock* const before : llvm::predecessors(&block)) {
      const auto end = at_end.find(before);
      if (end == at_end.end()) continue;
      if (holding) {
        *holding &= end->second;
      } else {
        holding = end->second;
      }
    }
    return holding ? *holding : BitVector(facts.size());
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock* const block : order) {
      BitVector holding = at_begin(*block);
      pass_through(*block, facts, steps, holding, [](unsigned) {});
      const auto [end, is_new] = at_end.try_emplace(block, holding);
      if (is_new || end->second != holding) {
        end->second = std::move(holding);
        changed = true;
      }
    }
  }
  for (const BasicBlock* const block : order) {
    BitVector holding = at_begin(*block);
    pass_through(*block, facts, steps, holding, [&](unsigned i) {
      if (facts.cover(holding, facts.number_of(i))) facts.access(i).needs_check = false;
    });
  }
}

// Reads that the rest of the block surely overwrites, from the end to the beginning.
void drop_overwritten(const BasicBlock& block, const Facts& facts, const Steps& steps) {
  BitVector coming(facts.size());
  pass_back(block, facts, steps, coming, [&](unsigned i) {
    Access& access = facts.access(i);
    if (!access.needs_check || access.writes) return access.needs_check;
    access.needs_check = !facts.cover(coming, facts.number_of(i));
    return false;
  });
}

}  // namespace

void drop_covered(llvm::Function& function, llvm::MutableArrayRef<Access> accesses, const Steps& steps) {
  if (accesses.empty()) return;
  const Facts facts(function, accesses);
  if (!facts.are_few_for(function)) return;
  drop_dominated(function, facts, steps);
  for (const BasicBlock& block : function) drop_overwritten(block, facts, steps);
}

}  // namespace anyorder::llvm_pass
