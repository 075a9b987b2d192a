#include "frontends/llvm_pass/hooks.hpp"

#include <algorithm>
#include <llvm/ADT/bit.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/ModRef.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/EscapeEnumerator.h>

namespace anyorder::llvm_pass {
namespace {

using llvm::Attribute;
using llvm::IRBuilder;
using llvm::Value;

constexpr std::uint64_t kLargestPiece = 16;
constexpr std::uint64_t kMostBytesInPieces = 32;

const char* kind_of(bool writes) { return writes ? "write" : "read"; }

// A call in a function with debug information needs a place, if only an unknown one.
void give_place(llvm::IRBuilderBase& builder) {
  if (builder.getCurrentDebugLocation()) return;
  if (auto* const program = builder.GetInsertBlock()->getParent()->getSubprogram()) {
    builder.SetCurrentDebugLocation(llvm::DILocation::get(program->getContext(), 0, 0, program));
  }
}

// The place is the return address: one call for several accesses, or a jump, would have that of something
// else.
void keep_place(llvm::CallInst& call) {
  call.setTailCallKind(llvm::CallInst::TCK_NoTail);
  call.addFnAttr(Attribute::NoMerge);
}

}  // namespace

Hooks::Hooks(llvm::Module& module)
    : module_(module),
      nothing_(llvm::Type::getVoidTy(module.getContext())),
      address_(llvm::PointerType::getUnqual(module.getContext())),
      length_(llvm::Type::getInt64Ty(module.getContext())),
      number_(llvm::Type::getInt32Ty(module.getContext())) {}

// It touches nothing that the program can see, which lets values stay in registers over the call.
llvm::FunctionCallee Hooks::checking(const llvm::Twine& name, llvm::ArrayRef<llvm::Type*> parameters) {
  llvm::LLVMContext& context = module_.getContext();
  llvm::AttributeList attributes;
  attributes = attributes.addFnAttribute(context, Attribute::NoUnwind)
                   .addFnAttribute(context, Attribute::WillReturn)
                   .addFnAttribute(context, Attribute::NoCallback)
                   .addFnAttribute(context, Attribute::getWithMemoryEffects(
                                                context, llvm::MemoryEffects::inaccessibleMemOnly()))
                   .addParamAttribute(context, 0, Attribute::NoCapture);
  return module_.getOrInsertFunction(name.str(), llvm::FunctionType::get(nothing_, parameters, false),
                                     attributes);
}

void Hooks::check(llvm::IRBuilderBase& builder, Value* address, std::uint64_t bytes, bool writes) {
  give_place(builder);
  if (bytes > kMostBytesInPieces) {
    return check(builder, {address, llvm::ConstantInt::get(length_, bytes), {}}, writes);
  }
  // The hooks of accesses are nearer than that of ranges.
  for (std::uint64_t done = 0; done < bytes;) {
    const auto piece = std::min(kLargestPiece, llvm::bit_floor(bytes - done));
    const auto hook = checking(llvm::Twine("__tsan_") + kind_of(writes) + llvm::Twine(piece), {address_});
    Value* const at = done == 0 ? address : builder.CreateConstGEP1_64(builder.getInt8Ty(), address, done);
    keep_place(*builder.CreateCall(hook, {at}));
    done += piece;
  }
}

void Hooks::check(llvm::Instruction& before, Value* address, std::uint64_t bytes, bool writes) {
  IRBuilder<> builder(&before);
  check(builder, address, bytes, writes);
}

void Hooks::check(llvm::IRBuilderBase& builder, const Region& region, bool writes) {
  static constexpr const char* kShapes[] = {"range", "rows", "blocks"};
  give_place(builder);
  llvm::SmallVector<Value*, 6> arguments{region.begin, region.bytes};
  llvm::SmallVector<llvm::Type*, 6> parameters{address_, length_};
  for (const auto& dimension : region.dimensions) {
    arguments.append({dimension.stride, dimension.count});
    parameters.append({length_, length_});
  }
  const auto hook =
      checking(llvm::Twine("anyorder_") + kind_of(writes) + "_" + kShapes[region.dimensions.size()] + "_1",
               parameters);
  keep_place(*builder.CreateCall(hook, arguments));
}

void Hooks::check_vptr_update(llvm::StoreInst& store) {
  IRBuilder<> builder(&store);
  give_place(builder);
  const auto hook = module_.getOrInsertFunction("__tsan_vptr_update", nothing_, address_, address_);
  builder.CreateCall(hook, {store.getPointerOperand(), store.getValueOperand()});
}

void Hooks::replace_copy(llvm::MemIntrinsic& copy) {
  IRBuilder<> builder(&copy);
  give_place(builder);
  auto* const length = builder.CreateZExtOrTrunc(copy.getLength(), length_);
  if (auto* const fill = llvm::dyn_cast<llvm::MemSetInst>(&copy)) {
    const auto hook = module_.getOrInsertFunction("__tsan_memset", address_, address_, number_, length_);
    builder.CreateCall(hook,
                       {fill->getRawDest(), builder.CreateIntCast(fill->getValue(), number_, false), length});
  } else {
    auto& transfer = llvm::cast<llvm::MemTransferInst>(copy);
    const char* const name = llvm::isa<llvm::MemMoveInst>(copy) ? "__tsan_memmove" : "__tsan_memcpy";
    const auto hook = module_.getOrInsertFunction(name, address_, address_, address_, length_);
    builder.CreateCall(hook, {transfer.getRawDest(), transfer.getRawSource(), length});
  }
  copy.eraseFromParent();
}

// Lane by lane, each under its bit of the mask.
void Hooks::check_masked(llvm::IntrinsicInst& intrinsic) {
  const auto id = intrinsic.getIntrinsicID();
  const bool writes = id == llvm::Intrinsic::masked_store || id == llvm::Intrinsic::masked_scatter;
  const bool spread = id == llvm::Intrinsic::masked_gather || id == llvm::Intrinsic::masked_scatter;
  Value* const addresses = intrinsic.getArgOperand(writes ? 1 : 0);
  Value* const mask = intrinsic.getArgOperand(writes ? 3 : 2);
  auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(writes ? intrinsic.getArgOperand(0)->getType()
                                                                    : intrinsic.getType());
  if (vector == nullptr) return;
  auto* const element = vector->getElementType();
  const auto bytes = module_.getDataLayout().getTypeStoreSize(element).getFixedValue();
  const auto* const constant = llvm::dyn_cast<llvm::Constant>(mask);
  for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
    const auto* const bit = constant == nullptr ? nullptr : constant->getAggregateElement(lane);
    if (bit != nullptr && bit->isNullValue()) continue;
    llvm::Instruction* before = &intrinsic;
    if (bit == nullptr || !bit->isOneValue()) {
      IRBuilder<> builder(&intrinsic);
      before = llvm::SplitBlockAndInsertIfThen(builder.CreateExtractElement(mask, lane), &intrinsic, false);
    }
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(intrinsic.getDebugLoc());
    Value* const address = spread ? builder.CreateExtractElement(addresses, lane)
                                  : builder.CreateConstGEP1_32(element, addresses, lane);
    check(builder, address, bytes, writes);
  }
}

void Hooks::tell_of_calls(llvm::Function& function) {
  llvm::AttributeList attributes;
  attributes = attributes.addFnAttribute(module_.getContext(), Attribute::NoUnwind);
  {
    IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    give_place(builder);
    Value* const caller = builder.CreateIntrinsic(llvm::Intrinsic::returnaddress, {}, {builder.getInt32(0)});
    builder.CreateCall(module_.getOrInsertFunction("__tsan_func_entry", attributes, nothing_, address_),
                       {caller});
  }
  const auto left = module_.getOrInsertFunction("__tsan_func_exit", attributes, nothing_);
  llvm::EscapeEnumerator ends(function, "anyorder_left");
  while (IRBuilder<>* const builder = ends.Next()) {
    give_place(*builder);
    builder->CreateCall(left, {});
  }
}

}  // namespace anyorder::llvm_pass
