#include "frontends/llvm_pass/ranges.hpp"

#include <algorithm>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <utility>
#include <vector>

#include "frontends/llvm_pass/expressions.hpp"
#include "frontends/llvm_pass/joined.hpp"
#include "frontends/llvm_pass/switches.hpp"

namespace anyorder::llvm_pass {
namespace {

using llvm::ScalarEvolution;
using llvm::SCEV;
using llvm::SCEVConstant;
using llvm::Value;

// Beyond, comparing all with all takes too long.
constexpr std::size_t kMostPlansToMerge = 400;

struct Dimension {
  const SCEV* stride;
  Executions steps;

  friend bool operator==(const Dimension& a, const Dimension& b) {
    return a.stride == b.stride && a.steps == b.steps;
  }
};

// What an access does in the loops that it has been taken out of: `bytes` at `begin`, at each step of each
// dimension.
struct Plan {
  Access* access;
  llvm::BasicBlock* before;  // the preheader of the outermost loop
  const SCEV* begin;
  std::uint64_t bytes;
  llvm::SmallVector<Dimension, 3> dimensions;
  Conditions conditions;
  // Not null: whether it is made at all, 0 or 1 in 64 bits, if the conditions hold.
  const SCEV* made = nullptr;
  bool dropped = false;
  bool relied_on = false;  // by the rest of another one
  // Not 0: of its innermost dimension, a range, only what another one does not check that begins so many
  // bytes before; or behind, if negative.
  std::int64_t rest = 0;
};

// Whether steps of this dimension leave no gap between pieces of at least so many bytes.
bool has_no_gap(const Dimension& dimension, std::uint64_t bytes) {
  const auto* const stride = llvm::dyn_cast<SCEVConstant>(dimension.stride);
  if (stride == nullptr) return false;
  const auto distance = stride->getAPInt().abs().getZExtValue();
  return dimension.steps.at_least_one ? distance <= bytes : distance == bytes;
}

// The executions before the one that is left out, if there is one: how many; and those after it: from which
// on, and how many.
struct Part {
  const SCEV* from;
  const SCEV* count;
};
std::pair<const SCEV*, Part> parts_of(const Executions& steps, ScalarEvolution& evolution) {
  const SCEV* const before = evolution.getUMinExpr(steps.except, steps.count);
  const SCEV* const from =
      evolution.getUMinExpr(evolution.getAddExpr(before, evolution.getOne(before->getType())), steps.count);
  return {before, {from, evolution.getMinusSCEV(steps.count, from)}};
}

class Planner {
 public:
  Planner(Loops& loops, ScalarEvolution& evolution, llvm::SCEVExpander& expander)
      : loops_(loops), evolution_(evolution), expander_(expander) {}

  // Out of as many loops as possible.
  [[nodiscard]] std::optional<Plan> plan(Access& access) {
    if (!evolution_.isSCEVable(access.address->getType())) return std::nullopt;
    std::optional<Plan> best;
    Plan next{&access, nullptr, evolution_.getSCEV(access.address), access.bytes, {}, {}};
    const llvm::BasicBlock* inside = access.at->getParent();
    for (llvm::Loop* loop = loops_.innermost(*inside); loop != nullptr; loop = loop->getParentLoop()) {
      if (!loops_.is_certain(*loop) || !take_out(next, *inside, *loop)) break;
      inside = next.before = loop->getLoopPreheader();
      if (is_expressible(next)) best = next;
    }
    return best;
  }

 private:
  [[nodiscard]] bool take_out(Plan& plan, const llvm::BasicBlock& inside, const llvm::Loop& loop) {
    const auto stays = [&](const SCEV* number) {
      return number == nullptr || evolution_.isLoopInvariant(number, &loop);
    };
    const bool stay = stays(plan.made) &&
                      std::all_of(plan.dimensions.begin(), plan.dimensions.end(), [&](const Dimension& one) {
                        return stays(one.stride) && stays(one.steps.count) && stays(one.steps.except);
                      });
    const bool hold = std::all_of(plan.conditions.begin(), plan.conditions.end(),
                                  [&](const Condition& one) { return loop.isLoopInvariant(one.value); });
    if (!stay || !hold) return false;
    const auto steps = loops_.executions_of(inside, loop, plan.conditions);
    if (!steps) return false;
    if (evolution_.isLoopInvariant(plan.begin, &loop)) {
      if (no_invariants || (!steps->at_least_one && steps->except == nullptr)) return false;
      if (steps->except == nullptr) return true;
      // Unless the only iteration is the one that leaves it out.
      if (plan.made != nullptr) return false;
      const auto [before, after] = parts_of(*steps, evolution_);
      plan.made = evolution_.getUMinExpr(evolution_.getAddExpr(before, after.count),
                                         evolution_.getOne(before->getType()));
      return true;
    }
    const auto* const row = llvm::dyn_cast<llvm::SCEVAddRecExpr>(plan.begin);
    if (no_ranges || row == nullptr || row->getLoop() != &loop || !row->isAffine()) return false;
    const SCEV* const stride = row->getStepRecurrence(evolution_);
    if (!evolution_.isLoopInvariant(stride, &loop)) return false;
    plan.dimensions.push_back({evolution_.getTruncateOrSignExtend(stride, steps->count->getType()), *steps});
    plan.begin = row->getStart();
    return true;
  }

  // Whether the hooks have such a shape, and its numbers can be computed where it is checked.
  [[nodiscard]] bool is_expressible(const Plan& plan) const {
    // One dimension more than the hooks have, if one is without gaps.
    const bool folds = std::any_of(plan.dimensions.begin(), plan.dimensions.end(),
                                   [&](const Dimension& one) { return has_no_gap(one, plan.bytes); });
    if (plan.dimensions.size() > Region::kMostDimensions + (folds ? 1 : 0)) return false;
    const llvm::Instruction* const at = plan.before->getTerminator();
    const auto can_be_computed = [&](const SCEV* number) {
      return number == nullptr || expander_.isSafeToExpandAt(number, at);
    };
    return can_be_computed(plan.begin) && can_be_computed(plan.made) &&
           std::all_of(plan.dimensions.begin(), plan.dimensions.end(), [&](const Dimension& one) {
             return can_be_computed(one.stride) && can_be_computed(one.steps.count) &&
                    can_be_computed(one.steps.except);
           });
  }

  Loops& loops_;
  ScalarEvolution& evolution_;
  llvm::SCEVExpander& expander_;
};

// Whether two differ in nothing but where they begin, what they do, and how many bytes they take at each
// step.
bool have_one_shape(const Plan& a, const Plan& b) {
  return a.before == b.before && a.dimensions == b.dimensions && a.conditions == b.conditions &&
         a.made == b.made;
}

// Else a dimension without gaps could have overlaps afterwards, and not be folded any more.
bool are_all_surely_executed(const Plan& plan) {
  return std::all_of(plan.dimensions.begin(), plan.dimensions.end(),
                     [](const Dimension& one) { return one.steps.at_least_one; });
}

// Nor could it, where pieces of so many bytes would not overlap.
bool have_room_for(const Plan& plan, std::uint64_t bytes) {
  return std::all_of(plan.dimensions.begin(), plan.dimensions.end(), [&](const Dimension& one) {
    const auto* const stride = llvm::dyn_cast<SCEVConstant>(one.stride);
    return stride != nullptr && stride->getAPInt().abs().uge(bytes);
  });
}

// How far b begins behind a, if that is a number.
std::optional<std::int64_t> distance(ScalarEvolution& evolution, const Plan& a, const Plan& b) {
  const auto* const difference = llvm::dyn_cast<SCEVConstant>(evolution.getMinusSCEV(b.begin, a.begin));
  if (difference == nullptr) return std::nullopt;
  return difference->getAPInt().getSExtValue();
}

// Parts of one thing at each step, such as the bytes of a word that a loop writes one by one, on whatever
// lines: if they leave no gap from one step to the next, one plan remains, which is then a range.
void merge_whole_steps(std::vector<Plan>& plans, ScalarEvolution& evolution) {
  for (Plan& first : plans) {
    if (first.dropped || first.dimensions.empty() || !are_all_surely_executed(first)) continue;
    std::vector<Plan*> parts{&first};
    std::uint64_t end = first.bytes;
    for (bool changed = true; changed;) {
      changed = false;
      for (Plan& other : plans) {
        const bool goes_on =
            !other.dropped && have_one_shape(first, other) && first.access->writes == other.access->writes;
        if (!goes_on || distance(evolution, first, other) != static_cast<std::int64_t>(end)) continue;
        parts.push_back(&other);
        end += other.bytes;
        changed = true;
      }
    }
    const bool whole = std::any_of(
        first.dimensions.begin(), first.dimensions.end(),
        [&](const Dimension& one) { return !has_no_gap(one, first.bytes) && has_no_gap(one, end); });
    if (!whole) continue;
    for (Plan* const part : parts) part->dropped = part != &first;
    first.bytes = end;
  }
}

// Whether the innermost dimension is a range, from its begin upward.
bool begins_with_range(const Plan& plan) {
  if (plan.dimensions.empty()) return false;
  const auto& [by, steps] = plan.dimensions.front();
  const auto* const stride = llvm::dyn_cast<SCEVConstant>(by);
  return steps.except == nullptr && stride != nullptr && stride->getAPInt() == plan.bytes;
}

// Ranges of one length that begin a little apart, such as the elements to the left and to the right of each:
// of one of them only what is not in the other remains. Each byte is checked where it is accessed, so lines
// do not matter.
void keep_rests(std::vector<Plan>& plans, ScalarEvolution& evolution) {
  for (Plan& one : plans) {
    if (one.dropped || one.relied_on || !begins_with_range(one)) continue;
    for (Plan& other : plans) {
      const bool covers = &one != &other && !other.dropped && other.rest == 0 && one.bytes == other.bytes &&
                          (other.access->writes || !one.access->writes) && have_one_shape(one, other);
      if (!covers) continue;
      const auto begin = distance(evolution, other, one);
      if (!begin || *begin == 0) continue;
      one.rest = *begin;
      other.relied_on = true;
      break;
    }
  }
}

// Plans that others have in them, and plans that together have no gap: one remains.
void merge(std::vector<Plan>& plans, ScalarEvolution& evolution) {
  if (no_neighbours || plans.size() > kMostPlansToMerge) return;
  for (bool changed = true; changed;) {
    changed = false;
    for (Plan& a : plans) {
      for (Plan& b : plans) {
        if (&a == &b || a.dropped || b.dropped || !have_one_shape(a, b)) continue;
        const auto begin = distance(evolution, a, b);
        if (!begin || *begin < 0 || *begin > static_cast<std::int64_t>(a.bytes)) continue;
        const auto end = static_cast<std::uint64_t>(*begin) + b.bytes;
        const bool alike = a.access->writes == b.access->writes;
        if ((alike || a.access->writes) && end <= a.bytes) {
          b.dropped = changed = true;
        } else if (alike && (are_all_surely_executed(a) || have_room_for(a, end)) &&
                   are_on_one_line(*a.access, *b.access)) {
          a.bytes = end;
          b.dropped = changed = true;
        }
      }
    }
  }
  merge_whole_steps(plans, evolution);
  keep_rests(plans, evolution);
}

class Emitter {
 public:
  Emitter(ScalarEvolution& evolution, llvm::SCEVExpander& expander, Hooks& hooks)
      : evolution_(evolution), expander_(expander), hooks_(hooks) {}

  void emit(const Plan& plan) {
    llvm::Instruction* const at = plan.before->getTerminator();
    llvm::IRBuilder<> builder(at);
    builder.SetCurrentDebugLocation(plan.access->at->getDebugLoc());
    const std::string expression =
        expression_of(*plan.access->address, plan.access->bytes, plan.access->at->getDebugLoc().get(),
                      plan.access->at->getModule()->getDataLayout());
    if (plan.dimensions.empty() && plan.conditions.empty() && plan.made == nullptr) {
      Value* const address = expander_.expandCodeFor(plan.begin, plan.access->address->getType(), at);
      return hooks_.check(builder, address, plan.bytes, plan.access->writes, expression);
    }
    Shape shape{plan.begin, evolution_.getConstant(length(), plan.bytes), plan.bytes, plan.dimensions};
    if (plan.rest != 0) take_rest(shape, plan.rest);
    emit(plan, shape, builder, expression);
  }

 private:
  struct Shape {
    const SCEV* begin;
    const SCEV* bytes;
    std::uint64_t least_bytes;
    llvm::SmallVector<Dimension, 3> dimensions;
  };

  // In two, where an iteration leaves it out.
  void emit(const Plan& plan, Shape shape, llvm::IRBuilder<>& builder, const std::string& expression) {
    for (Dimension& one : shape.dimensions) {
      if (one.steps.except == nullptr) continue;
      const auto [before, after] = parts_of(one.steps, evolution_);
      Shape second = shape;
      second.begin = evolution_.getAddExpr(shape.begin, evolution_.getMulExpr(one.stride, after.from));
      second.dimensions[static_cast<std::size_t>(&one - shape.dimensions.begin())].steps = {after.count,
                                                                                            false};
      one.steps = {before, false};
      emit(plan, second, builder, expression);
    }
    while (fold_one(shape)) {
    }
    if (plan.made != nullptr) shape.bytes = evolution_.getMulExpr(plan.made, shape.bytes);
    llvm::Instruction* const at = plan.before->getTerminator();
    Region region{expander_.expandCodeFor(shape.begin, plan.access->address->getType(), at),
                  expander_.expandCodeFor(shape.bytes, length(), at),
                  {}};
    for (const Dimension& one : shape.dimensions) {
      region.dimensions.push_back({expander_.expandCodeFor(one.stride, length(), at),
                                   expander_.expandCodeFor(one.steps.count, length(), at)});
    }
    // Nothing is to be checked where a condition is not as wanted.
    for (const Condition& condition : plan.conditions) {
      Value* const holds = builder.CreateFreeze(condition.value);
      Value* const none = builder.getInt64(0);
      region.bytes = condition.wanted ? builder.CreateSelect(holds, region.bytes, none)
                                      : builder.CreateSelect(holds, none, region.bytes);
    }
    hooks_.check(builder, region, plan.access->writes, expression);
  }

  // Of the innermost dimension, as Plan has it.
  void take_rest(Shape& shape, std::int64_t rest) {
    const SCEV* const all = evolution_.getMulExpr(shape.dimensions.front().steps.count, shape.bytes);
    const SCEV* const apart =
        evolution_.getConstant(length(), static_cast<std::uint64_t>(rest > 0 ? rest : -rest));
    shape.bytes = evolution_.getUMinExpr(all, apart);
    if (rest > 0) {
      shape.begin = evolution_.getAddExpr(shape.begin, evolution_.getMinusSCEV(all, shape.bytes));
    }
    shape.least_bytes = 0;
    shape.dimensions.erase(shape.dimensions.begin());
  }

  static bool is_number(const SCEV* value, std::uint64_t number) {
    const auto* const constant = llvm::dyn_cast<SCEVConstant>(value);
    return constant != nullptr && constant->getAPInt() == number;
  }
  // Makes one range of a dimension whose steps leave no gap. False: there is none.
  [[nodiscard]] bool fold_one(Shape& shape) {
    for (auto* one = shape.dimensions.begin(); one != shape.dimensions.end(); ++one) {
      const SCEV* const count = one->steps.count;
      if (one->stride == shape.bytes) {
        shape.bytes = evolution_.getMulExpr(count, shape.bytes);
      } else if (has_no_gap(*one, shape.least_bytes) &&
                 (one->steps.at_least_one || is_number(shape.bytes, shape.least_bytes))) {
        // No bytes at all, if there is no step.
        const auto& stride = llvm::cast<SCEVConstant>(one->stride)->getAPInt();
        const SCEV* const later = evolution_.getMinusSCEV(count, evolution_.getOne(length()));
        shape.bytes = evolution_.getAddExpr(
            evolution_.getMulExpr(evolution_.getConstant(stride.abs()), later), shape.bytes);
        if (stride.isNegative()) {
          shape.begin = evolution_.getAddExpr(shape.begin, evolution_.getMulExpr(one->stride, later));
        }
      } else {
        continue;
      }
      if (!one->steps.at_least_one) shape.least_bytes = 0;
      shape.dimensions.erase(one);
      return true;
    }
    return false;
  }

  [[nodiscard]] llvm::IntegerType* length() const { return llvm::Type::getInt64Ty(evolution_.getContext()); }

  ScalarEvolution& evolution_;
  llvm::SCEVExpander& expander_;
  Hooks& hooks_;
};

}  // namespace

void check_before_loops(llvm::MutableArrayRef<Access> accesses, Loops& loops, ScalarEvolution& evolution,
                        Hooks& hooks) {
  if (accesses.empty()) return;
  llvm::SCEVExpander expander(evolution, accesses.front().at->getModule()->getDataLayout(), "anyorder");
  Planner planner(loops, evolution, expander);
  std::vector<Plan> plans;
  for (Access& access : accesses) {
    if (!access.needs_check) continue;
    if (auto plan = planner.plan(access)) plans.push_back(std::move(*plan));
  }
  merge(plans, evolution);
  Emitter emitter(evolution, expander, hooks);
  for (const Plan& plan : plans) {
    plan.access->needs_check = false;
    if (!plan.dropped) emitter.emit(plan);
  }
}

}  // namespace anyorder::llvm_pass
