#include "frontends/llvm_pass/sharing.hpp"

#include <algorithm>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/MemoryBuiltins.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontends/llvm_pass/accesses.hpp"
#include "frontends/llvm_pass/switches.hpp"

namespace anyorder::llvm_pass {
namespace {

using llvm::dyn_cast;
using llvm::isa;
using llvm::Value;

// Calls within calls that are followed to see what becomes of an argument.
constexpr unsigned kDeepestCalls = 16;

// The constructor in the library of what the headers build a future's task on.
constexpr llvm::StringLiteral kFutureTask =
    "_ZN8anyorder6detail10FutureTaskC2ERKNS0_7TaskOpsENS_11source_siteE";
// include/anyorder/detail/unchecked.hpp marks with it what runs a task.
constexpr llvm::StringLiteral kRunsTask = "anyorder: runs its task";

// Whether what is made of an address there says at most how it lies to others, as iterators are compared and
// subtracted: nobody gets at the object by that.
bool only_compares(const llvm::Instruction& user) {
  if (isa<llvm::ICmpInst>(user)) return true;
  if (!isa<llvm::PtrToIntInst>(user)) return false;
  return std::all_of(user.user_begin(), user.user_end(), [](const llvm::User* of_number) {
    const auto* const difference = dyn_cast<llvm::BinaryOperator>(of_number);
    return isa<llvm::ICmpInst>(of_number) ||
           (difference != nullptr && difference->getOpcode() == llvm::Instruction::Sub &&
            isa<llvm::PtrToIntInst>(difference->getOperand(0)) &&
            isa<llvm::PtrToIntInst>(difference->getOperand(1)));
  });
}

// Tells `kept` of each use by which an address may get out; it returns whether it has seen enough.
template <class Kept>
class Tracker final : public llvm::CaptureTracker {
 public:
  Tracker(const KeptArguments& functions, Kept kept) : functions_(functions), kept_(std::move(kept)) {}

  void tooManyUses() override { kept_(nullptr); }
  bool captured(const llvm::Use* use) override {
    const auto* const user = dyn_cast<llvm::Instruction>(use->getUser());
    if (user != nullptr && only_compares(*user)) return false;
    const auto* const call = dyn_cast<llvm::CallBase>(use->getUser());
    if (call != nullptr && call->isArgOperand(use) && !functions_.has(*call, *use)) return false;
    return kept_(use);
  }

 private:
  const KeptArguments& functions_;
  Kept kept_;
};

}  // namespace

KeptArguments::KeptArguments(llvm::Module& module) {
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    for (const llvm::Argument& argument : function.args()) {
      if (argument.getType()->isPointerTy()) find(argument, 0);
    }
  }
}

// What is not known yet counts as kept: functions that call each other, and calls that are too deep.
void KeptArguments::find(const llvm::Argument& argument, unsigned depth) {
  if (!known_.try_emplace(&argument, Kept::yes).second) return;
  if (argument.getParent()->isInterposable() || depth > kDeepestCalls) return;
  for (const llvm::Use& use : argument.uses()) {
    const auto* const call = dyn_cast<llvm::CallBase>(use.getUser());
    const auto* const callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee == nullptr || callee->isDeclaration() || !call->isArgOperand(&use)) continue;
    const unsigned number = call->getArgOperandNo(&use);
    if (number < callee->arg_size()) find(*callee->getArg(number), depth + 1);
  }
  Kept kept = Kept::no;
  Tracker tracker(*this, [&](const llvm::Use* use) {
    const bool returned = use != nullptr && isa<llvm::ReturnInst>(use->getUser());
    kept = returned ? Kept::by_result : Kept::yes;
    return !returned;
  });
  llvm::PointerMayBeCaptured(&argument, &tracker);
  known_[&argument] = kept;
}

bool KeptArguments::has(const llvm::CallBase& call, const llvm::Use& argument) const {
  const unsigned number = call.getArgOperandNo(&argument);
  if (call.isByValArgument(number) || call.doesNotCapture(number)) return false;
  const llvm::Function* const callee = call.getCalledFunction();
  if (callee == nullptr || number >= callee->arg_size()) return true;
  if (callee->isDeclaration()) return number != 0 || callee->getName() != kFutureTask;
  const auto known = known_.find(callee->getArg(number));
  if (known == known_.end()) return true;
  return known->second == Kept::by_result ? !call.use_empty() : known->second == Kept::yes;
}

Escapes::Escapes(const Value& object, const KeptArguments& kept) {
  Tracker tracker(kept, [&](const llvm::Use* use) {
    if (const auto* const user = use == nullptr ? nullptr : dyn_cast<llvm::Instruction>(use->getUser())) {
      by_.push_back(user);
    } else {
      anywhere_ = true;
    }
    return anywhere_;
  });
  llvm::PointerMayBeCaptured(&object, &tracker);
  if (anywhere_) return;

  // Where the object is made, it is another one: what got out before was not its address.
  const auto* const maker = dyn_cast<llvm::Instruction>(&object);
  llvm::SmallVector<const llvm::BasicBlock*, 16> ends;
  for (const llvm::Instruction* const user : by_) ends.push_back(user->getParent());
  while (!ends.empty()) {
    for (const llvm::BasicBlock* const next : llvm::successors(ends.pop_back_val())) {
      const bool makes = maker != nullptr && maker->getParent() == next;
      if (!makes && later_.insert(next).second) ends.push_back(next);
    }
  }
}

bool Escapes::may_precede(const llvm::Instruction& at) const {
  return anywhere_ || later_.contains(at.getParent()) ||
         std::any_of(by_.begin(), by_.end(), [&](const llvm::Instruction* user) {
           return user->getParent() == at.getParent() && user->comesBefore(&at);
         });
}

Sharing::Sharing(llvm::Module& module, const llvm::TargetLibraryInfo& library)
    : library_(library), kept_(module) {
  const auto* const marks = module.getNamedGlobal("llvm.global.annotations");
  const auto* const list =
      marks == nullptr ? nullptr : dyn_cast<llvm::ConstantArray>(marks->getInitializer());
  if (list == nullptr) return;
  for (const Value* const entry : list->operand_values()) {
    const auto* const mark = dyn_cast<llvm::ConstantStruct>(entry);
    if (mark == nullptr) continue;
    const auto* const function = dyn_cast<llvm::Function>(mark->getOperand(0)->stripPointerCasts());
    const auto* const name = dyn_cast<llvm::GlobalVariable>(mark->getOperand(1)->stripPointerCasts());
    if (function == nullptr || name == nullptr || !name->hasInitializer()) continue;
    const auto* const text = dyn_cast<llvm::ConstantDataArray>(name->getInitializer());
    if (text != nullptr && text->isCString() && text->getAsCString() == kRunsTask)
      run_tasks_.insert(function);
  }
}

void Sharing::begin(const llvm::Function& function) {
  escapes_.clear();
  has_plain_ways_ = is_simple(function);
}

bool Sharing::is_possible(const Value& address, bool writes, const llvm::Instruction& at) {
  if (no_private_memory) return true;
  const Value* const one = llvm::getUnderlyingObject(&address, 0);
  if (begins_unknown(*one)) return is_shared(*one, writes, &at);
  // Through a phi it may also be what was made in an iteration before.
  llvm::SmallVector<const Value*, 4> objects;
  llvm::getUnderlyingObjects(&address, objects, nullptr, 0);
  return std::any_of(objects.begin(), objects.end(),
                     [&](const Value* object) { return is_shared(*object, writes, nullptr); });
}

// Whether nobody else knows of the object where it is made.
bool Sharing::begins_unknown(const Value& object) const {
  if (const auto* const argument = dyn_cast<llvm::Argument>(&object)) {
    return argument->getArgNo() == 0 && run_tasks_.contains(argument->getParent());
  }
  return isa<llvm::AllocaInst>(object) || llvm::isNoAliasCall(&object) ||
         llvm::isMallocOrCallocLikeFn(&object, &library_) || llvm::isNewLikeFn(&object, &library_);
}

// With no `at`: somewhere in the function.
bool Sharing::is_shared(const Value& object, bool writes, const llvm::Instruction* at) {
  if (const auto* const global = dyn_cast<llvm::GlobalVariable>(&object)) {
    return !global->isThreadLocal() && (writes || !global->isConstant());
  }
  if (const auto* const load = dyn_cast<llvm::LoadInst>(&object)) {
    return writes || !is_vptr_access(*load);  // else it is a table of virtual functions
  }
  if (const auto* const call = dyn_cast<llvm::IntrinsicInst>(&object)) {
    return call->getIntrinsicID() != llvm::Intrinsic::threadlocal_address;
  }
  if (!begins_unknown(object)) return true;
  const auto& escapes = escapes_.try_emplace(&object, object, kept_).first->second;
  return at != nullptr && has_plain_ways_ && !no_until_known ? escapes.may_precede(*at) : !escapes.none();
}

}  // namespace anyorder::llvm_pass
