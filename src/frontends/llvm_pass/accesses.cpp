#include "frontends/llvm_pass/accesses.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "frontends/llvm_pass/switches.hpp"

namespace anyorder::llvm_pass {
namespace {

using llvm::dyn_cast;
using llvm::isa;
using llvm::Value;

// A copy of more becomes a call of the C library's function, which would be checked once more.
constexpr std::uint64_t kMostInlineBytes = 64;

// Counters that compilers put in for coverage and profiles.
bool is_compilers_own(const Value& address) {
  const auto* const global = dyn_cast<llvm::GlobalVariable>(address.stripInBoundsOffsets());
  return global != nullptr &&
         (global->getName().starts_with("__llvm") || global->getName().starts_with("__profc"));
}

class Collector {
 public:
  Collector(const llvm::DataLayout& layout, const llvm::TargetLibraryInfo& library, Sharing& sharing)
      : layout_(layout), library_(library), sharing_(sharing) {}

  void visit(llvm::Instruction& instruction) {
    if (instruction.isAtomic()) {
      visit_atomic(instruction);
    } else if (auto* const load = dyn_cast<llvm::LoadInst>(&instruction)) {
      add(*load, load->getPointerOperand(), load->getType(), false);
    } else if (auto* const store = dyn_cast<llvm::StoreInst>(&instruction)) {
      if (is_vptr_access(*store) && store->getValueOperand()->getType()->isPointerTy()) {
        if (sharing_.is_possible(*store->getPointerOperand(), true, *store))
          found_.vptr_updates.push_back(store);
      } else {
        add(*store, store->getPointerOperand(), store->getValueOperand()->getType(), true);
      }
    } else if (auto* const call = dyn_cast<llvm::CallBase>(&instruction)) {
      visit_call(*call);
    }
  }

  [[nodiscard]] Accesses found() && { return std::move(found_); }

 private:
  void visit_atomic(llvm::Instruction& instruction) {
    const auto scope = llvm::getAtomicSyncScopeID(&instruction);
    if (scope && *scope == llvm::SyncScope::SingleThread && !isa<llvm::FenceInst>(instruction)) return;
    found_.atomics.push_back(&instruction);
  }

  void visit_call(llvm::CallBase& call) {
    if (auto* const copy = dyn_cast<llvm::MemIntrinsic>(&call)) return visit_copy(*copy);
    if (auto* const intrinsic = dyn_cast<llvm::IntrinsicInst>(&call)) {
      switch (intrinsic->getIntrinsicID()) {
        case llvm::Intrinsic::masked_load:
        case llvm::Intrinsic::masked_store:
        case llvm::Intrinsic::masked_gather:
        case llvm::Intrinsic::masked_scatter:
          found_.masked.push_back(intrinsic);
          break;
        default:
          break;
      }
      return;
    }
    // What is passed by value is read here.
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      if (call.isByValArgument(i)) add(call, call.getArgOperand(i), call.getParamByValType(i), false);
    }
    if (auto* const plain = dyn_cast<llvm::CallInst>(&call)) {
      // Else what such a function reads could be read in its place, after all checks have been made.
      llvm::maybeMarkSanitizerLibraryCallNoBuiltin(plain, &library_);
    }
    if (!call.doesNotAccessMemory() && !call.isInlineAsm()) found_.has_calls = true;
  }

  void visit_copy(llvm::MemIntrinsic& copy) {
    const auto* const length = dyn_cast<llvm::ConstantInt>(copy.getLength());
    auto* const transfer = dyn_cast<llvm::MemTransferInst>(&copy);
    if (length != nullptr && length->isZero()) return;
    if (length == nullptr || length->getValue().ugt(kMostInlineBytes) || no_inline_copies) {
      if (sharing_.is_possible(*copy.getRawDest(), true, copy) ||
          (transfer != nullptr && sharing_.is_possible(*transfer->getRawSource(), false, copy))) {
        found_.copies.push_back(&copy);
      }
      return;
    }
    const auto bytes = length->getZExtValue();
    if (transfer != nullptr) add(copy, transfer->getRawSource(), bytes, false);
    add(copy, copy.getRawDest(), bytes, true);
  }

  void add(llvm::Instruction& at, Value* address, llvm::Type* type, bool writes) {
    const llvm::TypeSize size = layout_.getTypeStoreSize(type);
    if (size.isScalable() || size.isZero()) return;
    add(at, address, size.getFixedValue(), writes);
  }
  void add(llvm::Instruction& at, Value* address, std::uint64_t bytes, bool writes) {
    if (address->getType()->getPointerAddressSpace() != 0 || address->isSwiftError()) return;
    if (is_compilers_own(*address) || !sharing_.is_possible(*address, writes, at)) return;
    found_.plain.push_back({&at, address, bytes, writes});
  }

  const llvm::DataLayout& layout_;
  const llvm::TargetLibraryInfo& library_;
  Sharing& sharing_;
  Accesses found_;
};

}  // namespace

bool is_vptr_access(const llvm::Instruction& instruction) {
  const llvm::MDNode* const tag = instruction.getMetadata(llvm::LLVMContext::MD_tbaa);
  return tag != nullptr && tag->isTBAAVtableAccess();
}

bool is_simple(const llvm::Function& function) {
  return !function.hasOptNone() && !function.callsFunctionThatReturnsTwice();
}

Accesses accesses_of(llvm::Function& function, const llvm::TargetLibraryInfo& library, Sharing& sharing) {
  sharing.begin(function);
  Collector collector(function.getParent()->getDataLayout(), library, sharing);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!instruction.hasMetadata(llvm::LLVMContext::MD_nosanitize)) collector.visit(instruction);
  }
  return std::move(collector).found();
}

}  // namespace anyorder::llvm_pass
