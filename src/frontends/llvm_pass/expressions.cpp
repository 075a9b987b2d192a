#include "frontends/llvm_pass/expressions.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <utility>

#include "frontends/llvm_pass/parts.hpp"

namespace anyorder::llvm_pass {
namespace {

using llvm::DILocation;
using llvm::DIScope;
using llvm::dyn_cast;
using llvm::Value;

constexpr unsigned kMostLoads = 4;
constexpr std::size_t kLongest = 120;
constexpr unsigned kFragmentElements = 3;  // of an expression that says which part of a variable

// Whose names are not the user's.
bool is_in_library(const DIScope* scope) {
  llvm::StringRef outermost;
  for (; scope != nullptr; scope = scope->getScope()) {
    if (const auto* const space = dyn_cast<llvm::DINamespace>(scope)) outermost = space->getName();
  }
  return outermost == "std" || outermost == "__gnu_cxx" || outermost == "anyorder";
}

class Namer {
 public:
  Namer(const llvm::DataLayout& layout, const DILocation* at) : layout_(layout) {
    for (; at != nullptr; at = at->getInlinedAt()) {
      inlined_.emplace_back(at->getScope()->getSubprogram(), at->getInlinedAt());
    }
  }

  // What is at the address. No text: not known.
  Named object_at(Value& address, std::uint64_t bytes) {
    Way way;
    way.bytes = bytes;
    Value* base = &address;
    // Addresses on the way may be those of variables, too: the nearest function's words are those of the
    // line.
    Found best{{}, inlined_.size()};
    for (;;) {
      if (Found found = in_variable(*base, way); found.level < best.level) best = std::move(found);
      if (auto* const step = dyn_cast<llvm::GEPOperator>(base)) {
        if (!add(*step, way)) break;
        base = step->getPointerOperand();
      } else if (auto* const start = start_of(*base, way)) {
        base = start;
      } else {
        break;
      }
    }
    if (!best.named.text.empty()) return best.named;
    if (auto* const load = dyn_cast<llvm::LoadInst>(base); load != nullptr && ++loads_ <= kMostLoads) {
      if (!load->getType()->isPointerTy()) return {};
      const Named pointer = object_at(*load->getPointerOperand(), layout_.getPointerSize());
      if (!pointer.text.empty()) return part_behind(pointer, std::move(way));
    }
    return {};
  }

 private:
  struct Found {
    Named named;
    std::size_t level;  // as level_of
  };

  [[nodiscard]] bool add(llvm::GEPOperator& step, Way& way) const {
    llvm::MapVector<Value*, llvm::APInt> variable;
    llvm::APInt constant(64, 0);
    if (!step.collectOffset(layout_, 64, variable, constant)) return false;
    way.offset += constant.getSExtValue();
    for (const auto& [index, scale] : variable) way.scales.push_back(scale.abs().getZExtValue());
    return true;
  }

  // Where a pointer began that a loop moves on by a constant; null: it is none.
  [[nodiscard]] static Value* start_of(Value& pointer, Way& way) {
    auto* const moving = dyn_cast<llvm::PHINode>(&pointer);
    if (moving == nullptr || moving->getNumIncomingValues() != 2) return nullptr;
    for (const unsigned i : {0U, 1U}) {
      auto* const step = dyn_cast<llvm::GEPOperator>(moving->getIncomingValue(i));
      if (step == nullptr || step->getPointerOperand() != moving || step->getNumIndices() != 1) continue;
      const auto* const count = dyn_cast<llvm::ConstantInt>(step->idx_begin()->get());
      if (count == nullptr || count->isZero()) return nullptr;
      const auto size = moving->getModule()->getDataLayout().getTypeAllocSize(step->getSourceElementType());
      way.scales.push_back(count->getValue().abs().getZExtValue() * size.getFixedValue());
      return moving->getIncomingValue(1 - i);
    }
    return nullptr;
  }

  // What the way from a variable leads to: from its own address, or from that which it has as its value.
  [[nodiscard]] Found in_variable(Value& base, const Way& way) const {
    Found best{{}, inlined_.size()};  // nothing
    if (auto* const global = dyn_cast<llvm::GlobalVariable>(&base)) {
      llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> known;
      global->getDebugInfo(known);
      // Of what another file defines there is only the name.
      if (global->isDeclaration()) return {{llvm::demangle(global->getName()), nullptr}, 0};
      if (known.size() != 1 || known[0]->getExpression()->getNumElements() != 0) return best;
      const llvm::DIGlobalVariable& variable = *known[0]->getVariable();
      return {part_of({variable.getName().str(), variable.getType()}, way), 0};
    }
    if (llvm::isa<llvm::Constant>(base)) return best;
    llvm::SmallVector<llvm::DbgVariableIntrinsic*, 4> intrinsics;
    llvm::SmallVector<llvm::DbgVariableRecord*, 4> records;
    llvm::findDbgUsers(intrinsics, &base, &records);
    for (llvm::DbgVariableRecord* const record : records) {
      const std::size_t level = level_of(*record);
      if (level >= best.level || record->isKillLocation() || record->getNumVariableLocationOps() != 1)
        continue;
      if (Named named = in_variable(*record, base, way); !named.text.empty())
        best = {std::move(named), level};
    }
    return best;
  }
  [[nodiscard]] static Named in_variable(llvm::DbgVariableRecord& record, const Value& base, const Way& way) {
    const Named variable{record.getVariable()->getName().str(), record.getVariable()->getType()};
    const llvm::DIExpression* const rule = record.getExpression();
    const auto part = rule->getFragmentInfo();
    if (rule->getNumElements() != (part ? kFragmentElements : 0)) return {};
    Way to_part;
    if (part) {
      to_part.offset = static_cast<std::int64_t>(part->OffsetInBits / 8);
      to_part.bytes = part->SizeInBits / 8;
    }
    // The variable's own address, or that of its part; else the value that it has.
    const bool is_assignment = record.isDbgAssign() && record.getAddress() == &base;
    if (is_assignment && record.getAddressExpression()->getNumElements() != 0) return {};
    if (is_assignment || record.isDbgDeclare()) {
      to_part.offset += way.offset;
      to_part.scales = way.scales;
      to_part.bytes = way.bytes;
      return part_of(variable, std::move(to_part));
    }
    return part_behind(part ? part_of(variable, std::move(to_part)) : variable, way);
  }

  // The least of those whose function, or one that it was inlined into, has the variable; the number of all:
  // none.
  [[nodiscard]] std::size_t level_of(const llvm::DbgVariableRecord& record) const {
    const auto* const variable = record.getVariable();
    const auto* const function = variable->getScope()->getSubprogram();
    if (is_reserved(variable->getName()) || variable->getName().empty() || is_in_library(function)) {
      return inlined_.size();
    }
    const std::pair<const llvm::DISubprogram*, const DILocation*> wanted(
        function, record.getDebugLoc()->getInlinedAt());
    return static_cast<std::size_t>(llvm::find(inlined_, wanted) - inlined_.begin());
  }

  const llvm::DataLayout& layout_;
  // The functions that were inlined there, from the inside, and where.
  llvm::SmallVector<std::pair<const llvm::DISubprogram*, const DILocation*>, 8> inlined_;
  unsigned loads_ = 0;
};

}  // namespace

std::string expression_of(Value& address, std::uint64_t bytes, const DILocation* at,
                          const llvm::DataLayout& layout) {
  if (at == nullptr) return {};
  std::string text = Namer(layout, at).object_at(address, bytes).text;
  return text.size() <= kLongest ? text : std::string();
}

}  // namespace anyorder::llvm_pass
