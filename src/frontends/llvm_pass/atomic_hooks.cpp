// Atomic operations, as calls that perform them.
#include <llvm/IR/Instructions.h>

#include "frontends/llvm_pass/hooks.hpp"

namespace anyorder::llvm_pass {
namespace {

using llvm::AtomicRMWInst;
using llvm::IRBuilder;
using llvm::Value;

// <sanitizer/tsan_interface_atomic.h> counts orders as C++ does.
int number_of(llvm::AtomicOrdering order) {
  switch (order) {
    case llvm::AtomicOrdering::NotAtomic:
    case llvm::AtomicOrdering::Unordered:
    case llvm::AtomicOrdering::Monotonic:
      return 0;
    case llvm::AtomicOrdering::Acquire:
      return 2;
    case llvm::AtomicOrdering::Release:
      return 3;
    case llvm::AtomicOrdering::AcquireRelease:
      return 4;
    case llvm::AtomicOrdering::SequentiallyConsistent:
      return 5;
  }
  return 5;
}

// Null: the hooks have no such operation, and the instruction stays.
const char* name_of(AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case AtomicRMWInst::Xchg:
      return "exchange";
    case AtomicRMWInst::Add:
      return "fetch_add";
    case AtomicRMWInst::Sub:
      return "fetch_sub";
    case AtomicRMWInst::And:
      return "fetch_and";
    case AtomicRMWInst::Or:
      return "fetch_or";
    case AtomicRMWInst::Xor:
      return "fetch_xor";
    case AtomicRMWInst::Nand:
      return "fetch_nand";
    default:
      return nullptr;
  }
}

bool has_hook(std::uint64_t bits) { return bits >= 8 && bits <= 128 && llvm::isPowerOf2_64(bits); }

}  // namespace

llvm::FunctionCallee Hooks::atomic(llvm::StringRef operation, unsigned bits, llvm::Type* result,
                                   llvm::ArrayRef<llvm::Type*> parameters) {
  llvm::AttributeList attributes;
  attributes = attributes.addFnAttribute(module_.getContext(), llvm::Attribute::NoUnwind);
  return module_.getOrInsertFunction(("__tsan_atomic" + llvm::Twine(bits) + "_" + operation).str(),
                                     llvm::FunctionType::get(result, parameters, false), attributes);
}

void Hooks::replace_atomic(llvm::Instruction& instruction) {
  IRBuilder<> builder(&instruction);
  const llvm::DataLayout& layout = module_.getDataLayout();
  const auto as_integer = [&](llvm::Type* type) {
    return builder.getIntNTy(static_cast<unsigned>(layout.getTypeStoreSizeInBits(type).getFixedValue()));
  };
  const auto order_of = [&](llvm::AtomicOrdering order) { return builder.getInt32(number_of(order)); };
  Value* result = nullptr;

  if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    auto* const type = as_integer(load->getType());
    if (!has_hook(type->getBitWidth())) return;
    const auto hook = atomic("load", type->getBitWidth(), type, {address_, number_});
    Value* const value = builder.CreateCall(hook, {load->getPointerOperand(), order_of(load->getOrdering())});
    result = builder.CreateBitOrPointerCast(value, load->getType());
  } else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    auto* const type = as_integer(store->getValueOperand()->getType());
    if (!has_hook(type->getBitWidth())) return;
    const auto hook = atomic("store", type->getBitWidth(), nothing_, {address_, type, number_});
    builder.CreateCall(
        hook, {store->getPointerOperand(), builder.CreateBitOrPointerCast(store->getValueOperand(), type),
               order_of(store->getOrdering())});
  } else if (auto* const update = llvm::dyn_cast<AtomicRMWInst>(&instruction)) {
    auto* const type = as_integer(update->getType());
    const char* const name = name_of(update->getOperation());
    if (name == nullptr || !has_hook(type->getBitWidth())) return;
    const auto hook = atomic(name, type->getBitWidth(), type, {address_, type, number_});
    Value* const before = builder.CreateCall(
        hook, {update->getPointerOperand(), builder.CreateBitOrPointerCast(update->getValOperand(), type),
               order_of(update->getOrdering())});
    result = builder.CreateBitOrPointerCast(before, update->getType());
  } else if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    llvm::Type* const own = exchange->getNewValOperand()->getType();
    auto* const type = as_integer(own);
    if (!has_hook(type->getBitWidth())) return;
    const auto hook =
        atomic("compare_exchange_val", type->getBitWidth(), type, {address_, type, type, number_, number_});
    Value* const expected = builder.CreateBitOrPointerCast(exchange->getCompareOperand(), type);
    Value* const wanted = builder.CreateBitOrPointerCast(exchange->getNewValOperand(), type);
    Value* const before = builder.CreateCall(
        hook, {exchange->getPointerOperand(), expected, wanted, order_of(exchange->getSuccessOrdering()),
               order_of(exchange->getFailureOrdering())});
    Value* const done = builder.CreateICmpEQ(before, expected);
    result = builder.CreateInsertValue(llvm::PoisonValue::get(exchange->getType()),
                                       builder.CreateBitOrPointerCast(before, own), 0);
    result = builder.CreateInsertValue(result, done, 1);
  } else if (auto* const fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
    const char* const name = fence->getSyncScopeID() == llvm::SyncScope::SingleThread
                                 ? "__tsan_atomic_signal_fence"
                                 : "__tsan_atomic_thread_fence";
    builder.CreateCall(module_.getOrInsertFunction(name, nothing_, number_),
                       {order_of(fence->getOrdering())});
  } else {
    return;
  }
  if (result != nullptr) instruction.replaceAllUsesWith(result);
  instruction.eraseFromParent();
}

}  // namespace anyorder::llvm_pass
