#include "frontends/llvm_pass/covered.hpp"

#include <algorithm>
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Module.h>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace anyorder::llvm_pass {
namespace {

using llvm::BasicBlock;
using llvm::BitVector;
using llvm::Instruction;
using llvm::Value;

// Beyond, the sets of facts would take longer than the rest of the compilation.
constexpr std::size_t kMostFactsTimesBlocks = std::size_t{1} << 27U;

// Bytes at fixed distances from the address that `base` names. It names another one each time it is executed.
struct Fact {
  const Value* base;
  std::int64_t begin;
  std::int64_t end;
  bool writes;
};

class Facts {
 public:
  Facts(llvm::Function& function, llvm::MutableArrayRef<Access> accesses) : accesses_(accesses) {
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    std::map<std::tuple<const Value*, std::int64_t, std::int64_t, bool>, unsigned> numbers;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      const Access& access = accesses[i];
      llvm::APInt offset(layout.getIndexTypeSizeInBits(access.address->getType()), 0);
      const Value* const base = access.address->stripAndAccumulateConstantOffsets(layout, offset, true);
      const std::int64_t begin = offset.getSExtValue();
      const auto end = begin + static_cast<std::int64_t>(access.bytes);
      const auto [at, is_new] =
          numbers.try_emplace({base, begin, end, access.writes}, static_cast<unsigned>(facts_.size()));
      if (is_new) {
        facts_.push_back({base, begin, end, access.writes});
        by_base_[base].push_back(at->second);
      }
      number_of_.push_back(at->second);
      at_[access.at].push_back(static_cast<unsigned>(i));
    }
  }

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(facts_.size()); }
  [[nodiscard]] Access& access(unsigned i) const { return accesses_[i]; }
  [[nodiscard]] unsigned number_of(unsigned i) const { return number_of_[i]; }
  [[nodiscard]] llvm::ArrayRef<unsigned> accesses_at(const Instruction& instruction) const {
    const auto found = at_.find(&instruction);
    return found == at_.end() ? llvm::ArrayRef<unsigned>() : llvm::ArrayRef<unsigned>(found->second);
  }
  [[nodiscard]] llvm::ArrayRef<unsigned> facts_about(const Value& base) const {
    const auto found = by_base_.find(&base);
    return found == by_base_.end() ? llvm::ArrayRef<unsigned>() : llvm::ArrayRef<unsigned>(found->second);
  }

  // Whether those that hold have all bytes of fact `number`.
  [[nodiscard]] bool cover(const BitVector& holding, unsigned number) const {
    if (holding.test(number)) return true;
    const Fact& asked = facts_[number];
    std::vector<const Fact*> parts;
    for (const unsigned other : facts_about(*asked.base)) {
      const Fact& fact = facts_[other];
      if (holding.test(other) && (fact.writes || !asked.writes)) parts.push_back(&fact);
    }
    std::sort(parts.begin(), parts.end(), [](const Fact* a, const Fact* b) { return a->begin < b->begin; });
    std::int64_t reached = asked.begin;
    for (const Fact* const part : parts) {
      if (part->begin > reached) break;
      reached = std::max(reached, part->end);
    }
    return reached >= asked.end;
  }

 private:
  llvm::MutableArrayRef<Access> accesses_;
  std::vector<Fact> facts_;
  std::vector<unsigned> number_of_;
  llvm::DenseMap<const Value*, llvm::SmallVector<unsigned, 4>> by_base_;
  llvm::DenseMap<const Instruction*, llvm::SmallVector<unsigned, 2>> at_;
};

// From the block's beginning to its end: which facts hold. `each` is told of every access, before it counts.
template <class Each>
void pass_through(const BasicBlock& block, const Facts& facts, const Steps& steps, BitVector& holding,
                  Each each) {
  for (const Instruction& instruction : block) {
    for (const unsigned i : facts.accesses_at(instruction)) {
      each(i);
      holding.set(facts.number_of(i));
    }
    if (steps.of(instruction).ends_step) holding.reset();
    for (const unsigned old : facts.facts_about(instruction)) holding.reset(old);
  }
}

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
  for (const Instruction& instruction : llvm::reverse(block)) {
    const Effects effects = steps.of(instruction);
    if (effects.ends_step || effects.may_stop) coming.reset();
    for (const unsigned later : facts.facts_about(instruction)) coming.reset(later);
    for (const unsigned i : llvm::reverse(facts.accesses_at(instruction))) {
      Access& access = facts.access(i);
      if (!access.needs_check) continue;
      if (!access.writes && facts.cover(coming, facts.number_of(i))) {
        access.needs_check = false;
      } else if (access.writes) {
        coming.set(facts.number_of(i));
      }
    }
  }
}

}  // namespace

void drop_covered(llvm::Function& function, llvm::MutableArrayRef<Access> accesses, const Steps& steps) {
  if (accesses.empty()) return;
  const Facts facts(function, accesses);
  if (std::size_t{facts.size()} * function.size() > kMostFactsTimesBlocks) return;
  drop_dominated(function, facts, steps);
  for (const BasicBlock& block : function) drop_overwritten(block, facts, steps);
}

}  // namespace anyorder::llvm_pass
