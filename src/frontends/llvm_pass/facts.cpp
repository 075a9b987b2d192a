#include "frontends/llvm_pass/facts.hpp"

#include <algorithm>
#include <llvm/IR/Module.h>
#include <map>
#include <tuple>

namespace anyorder::llvm_pass {

using llvm::Value;

namespace {

constexpr std::size_t kMostFactsTimesBlocks = std::size_t{1} << 27U;

}  // namespace

Facts::Facts(const llvm::Function& function, llvm::MutableArrayRef<Access> accesses) : accesses_(accesses) {
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

bool Facts::are_few_for(const llvm::Function& function) const {
  return facts_.size() * function.size() <= kMostFactsTimesBlocks;
}

llvm::ArrayRef<unsigned> Facts::accesses_at(const llvm::Instruction& instruction) const {
  const auto found = at_.find(&instruction);
  return found == at_.end() ? llvm::ArrayRef<unsigned>() : llvm::ArrayRef<unsigned>(found->second);
}

llvm::ArrayRef<unsigned> Facts::facts_about(const Value& base) const {
  const auto found = by_base_.find(&base);
  return found == by_base_.end() ? llvm::ArrayRef<unsigned>() : llvm::ArrayRef<unsigned>(found->second);
}

bool Facts::cover(const llvm::BitVector& holding, unsigned number) const {
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

}  // namespace anyorder::llvm_pass
