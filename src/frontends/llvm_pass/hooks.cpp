#include "frontends/llvm_pass/hooks.hpp"

#include <algorithm>
#include <llvm/ADT/bit.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/ModRef.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/EscapeEnumerator.h>
#include <string>
#include <utility>

#include "frontends/llvm_pass/expressions.hpp"

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

// Where the place is the return address, one call for several accesses, or a jump, would have that of
// something else.
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
      number_(llvm::Type::getInt32Ty(module.getContext())),
      sites_(module) {}

void Hooks::call(llvm::IRBuilderBase& builder, const Hook& hook, llvm::ArrayRef<Value*> arguments,
                 llvm::StringRef expression) {
  give_place(builder);
  const Site site{builder.getCurrentDebugLocation().get(), expression.str()};
  call(builder, hook, arguments, sites_.at(*builder.GetInsertBlock()->getParent(), site));
}

void Hooks::call(llvm::IRBuilderBase& builder, const Hook& hook, llvm::ArrayRef<Value*> arguments,
                 llvm::Constant* site) {
  llvm::SmallVector<Value*, 7> all(arguments);
  if (site != nullptr) all.push_back(site);
  llvm::SmallVector<llvm::Type*, 7> parameters;
  for (const Value* const argument : all) parameters.push_back(argument->getType());
  const auto callee =
      module_.getOrInsertFunction(site != nullptr ? hook.with_site : hook.otherwise,
                                  llvm::FunctionType::get(hook.result, parameters, false), hook.attributes);
  llvm::CallInst* const call = builder.CreateCall(callee, all);
  if (site == nullptr) keep_place(*call);
}

// It touches nothing that the program can see, which lets values stay in registers over the call.
Hooks::Hook Hooks::checking(std::string with_site, std::string otherwise) const {
  llvm::LLVMContext& context = module_.getContext();
  llvm::AttributeList attributes;
  attributes = attributes.addFnAttribute(context, Attribute::NoUnwind)
                   .addFnAttribute(context, Attribute::WillReturn)
                   .addFnAttribute(context, Attribute::NoCallback)
                   .addFnAttribute(context, Attribute::getWithMemoryEffects(
                                                context, llvm::MemoryEffects::inaccessibleMemOnly()))
                   .addParamAttribute(context, 0, Attribute::NoCapture);
  return {std::move(with_site), std::move(otherwise), nothing_, attributes};
}

void Hooks::check(llvm::IRBuilderBase& builder, Value* address, std::uint64_t bytes, bool writes,
                  llvm::StringRef expression) {
  if (bytes > kMostBytesInPieces) {
    return check(builder, {address, llvm::ConstantInt::get(length_, bytes), {}}, writes, expression);
  }
  // The hooks of accesses are nearer than that of ranges.
  for (std::uint64_t done = 0; done < bytes;) {
    const auto piece = std::min(kLargestPiece, llvm::bit_floor(bytes - done));
    const std::string what = (kind_of(writes) + llvm::Twine(piece)).str();
    Value* const at = done == 0 ? address : builder.CreateConstGEP1_64(builder.getInt8Ty(), address, done);
    call(builder, checking("anyorder_" + what + "_at_1", "__tsan_" + what), {at}, expression);
    done += piece;
  }
}

void Hooks::check(const Access& access) {
  if (!access.parts.empty()) return check_parts(access);
  IRBuilder<> builder(access.at);
  check(builder, access.address, access.bytes, access.writes,
        site_of(*access.at, *access.address, access.bytes).expression);
}

void Hooks::check_parts(const Access& access) {
  IRBuilder<> builder(access.at);
  llvm::SmallVector<Site, 4> sites;
  std::uint64_t begins = 0;
  std::uint64_t begin = 0;
  for (const Part& part : access.parts) {
    sites.push_back(site_of(*part.at, *part.address, part.bytes));
    begins |= std::uint64_t{1} << begin;
    begin += part.bytes;
  }
  if (llvm::Constant* const first = sites_.at(*access.at->getFunction(), sites)) {
    const std::string hook = (llvm::Twine("anyorder_") + kind_of(access.writes) + "_group_at_1").str();
    return call(builder, checking(hook, {}), {access.address, builder.getInt64(begins)}, first);
  }
  begin = 0;
  for (std::size_t i = 0; i != sites.size(); ++i) {
    builder.SetCurrentDebugLocation(sites[i].location);
    check(builder, builder.CreateConstGEP1_64(builder.getInt8Ty(), access.address, begin),
          access.parts[i].bytes, access.writes, sites[i].expression);
    begin += access.parts[i].bytes;
  }
}

Site Hooks::site_of(const llvm::Instruction& at, Value& address, std::uint64_t bytes) const {
  const auto* const location = at.getDebugLoc().get();
  return {location, expression_of(address, bytes, location, module_.getDataLayout())};
}

void Hooks::check(llvm::IRBuilderBase& builder, const Region& region, bool writes,
                  llvm::StringRef expression) {
  static constexpr const char* kShapes[] = {"range", "rows", "blocks"};
  llvm::SmallVector<Value*, 6> arguments{region.begin, region.bytes};
  for (const auto& dimension : region.dimensions) arguments.append({dimension.stride, dimension.count});
  const std::string hook =
      (llvm::Twine("anyorder_") + kind_of(writes) + "_" + kShapes[region.dimensions.size()]).str();
  call(builder, checking(hook + "_at_1", hook + "_1"), arguments, expression);
}

void Hooks::check_vptr_update(llvm::StoreInst& store) {
  IRBuilder<> builder(&store);
  call(builder, {"anyorder_vptr_update_at_1", "__tsan_vptr_update", nothing_},
       {store.getPointerOperand(), store.getValueOperand()});
}

void Hooks::replace_copy(llvm::MemIntrinsic& copy) {
  IRBuilder<> builder(&copy);
  auto* const length = builder.CreateZExtOrTrunc(copy.getLength(), length_);
  if (auto* const fill = llvm::dyn_cast<llvm::MemSetInst>(&copy)) {
    call(builder, {"anyorder_memset_at_1", "__tsan_memset", address_},
         {fill->getRawDest(), builder.CreateIntCast(fill->getValue(), number_, false), length});
  } else {
    auto& transfer = llvm::cast<llvm::MemTransferInst>(copy);
    const std::string name = llvm::isa<llvm::MemMoveInst>(copy) ? "memmove" : "memcpy";
    call(builder, {"anyorder_" + name + "_at_1", "__tsan_" + name, address_},
         {transfer.getRawDest(), transfer.getRawSource(), length});
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
    check(builder, address, bytes, writes, {});
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
