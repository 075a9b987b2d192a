// Offset-span labels of all tasks: made by each task from its creator's alone, compared in one pass.
// README.md has the paper's rules, what async and finish add to them, and what becomes of labels that are not
// needed any more.
//
// Contract: a model of shared_history::Order. The operations on a task come from the thread that runs it, and
// before it begins from its creator's. Queries may come from any thread, about what it has learnt of by the
// events or by a cell.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "detect/offset_span/pair.hpp"
#include "detect/offset_span/records.hpp"
#include "detect/offset_span/strand.hpp"
#include "detect/shared_history/ids.hpp"
#include "detect/shared_history/order.hpp"
#include "shadow/reservation.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect::offset_span {

using shared_history::kNoStep;
using shared_history::Relation;
using shared_history::StepId;

class KnownPartings;

class Labels {
 public:
  using Task = Strand*;
  using Finish = Strand*;
  using Step = offset_span::Step;
  using Known = KnownPartings;
  static Strand* task_in(void* slot) noexcept { return static_cast<Strand*>(slot); }
  static Strand* finish_in(void* slot) noexcept { return task_in(slot); }
  static void* to_slot(Strand* strand) noexcept { return strand; }

  // What a thread has of the labels for itself.
  struct Stock {
    Strands::Stock strands;
    Records<Pair>::Stock pairs;
    Records<Step>::Stock steps;
  };

  // How far counts go before a label becomes longer. Others are for tests.
  struct Limits {
    std::uint32_t joins = ~std::uint32_t{0};
    std::uint32_t index = kMostIndex;
    std::uint32_t blocks = 1U << 12U;  // after so many, it is looked whether all that was precedes what comes
    std::uint32_t first_joins = 0;     // where the count begins
    bool keeps_all = false;            // labels stay, so that two of the past can be compared
  };

  explicit Labels(Limits limits);
  Labels() : Labels(Limits{}) {}

  // A task without a creator; concurrent with all other roots.
  [[nodiscard]] Strand* begin_root(Stock& stock);
  [[nodiscard]] Strand* create_async(Strand* task, std::uint32_t created_at, Stock& stock);
  [[nodiscard]] Strand* begin_finish(Strand* task, Stock& stock) { return fork(task, stock); }
  void end_finish(Strand* task, Strand* finish, Stock& stock);
  // Nobody names the task any more.
  void forget(Strand* task, Stock& stock);
  // A join of nothing.
  void next_step(Strand* task, Stock& stock) { join(task, *task->innermost, stock); }

  [[nodiscard]] bool can_place(Strand* task, Stock& stock) noexcept {
    return task->position.pair != kNoPair || try_place(task, stock);
  }
  void place(Strand* task, Stock& stock);
  [[nodiscard]] static Step position_of(const Strand* task) noexcept { return task->position; }
  [[nodiscard]] static StepId kept_step_of(const Strand* task) noexcept { return task->step; }
  [[nodiscard]] shared_history::StepNumbers step_numbers() const noexcept {
    return {offsetof(Strand, step), 0, &steps_.forgotten()};
  }
  [[nodiscard]] StepId try_keep_step_of(Strand* task, Stock& stock) noexcept;
  [[nodiscard]] StepId keep_step_of(Strand* task, Stock& stock);
  static void refill(Stock& /*stock*/) noexcept {}
  [[nodiscard]] Step step(StepId id) const noexcept {
    Step kept{};
    const Step instead = steps_.look(id, kept);
    return instead.pair == kNoPair ? kept : instead;
  }
  // Records of steps that are over may stand for others.
  [[nodiscard]] static bool goes_on_in(StepId /*id*/, StepId /*later*/) noexcept { return false; }
  [[nodiscard]] StepId past() const noexcept { return steps_.forgotten(); }

  [[nodiscard, gnu::always_inline]] inline Relation relation(const Step& a, const Step& b,
                                                             KnownPartings& known) const noexcept;
  // Where a and b are of one fork that is over, the records do not tell: then true.
  [[nodiscard]] bool precedes(const Step& a, const Step& b, KnownPartings& known) const noexcept;
  // Of two pairs that are not ancient.
  [[nodiscard]] Parting parting(PairId first, PairId second) const noexcept;
  // The same, from where their prefixes part, if these are many pairs long.
  [[nodiscard]] Parting parting(PairId first, PairId second, KnownPartings& known) const noexcept;

  [[nodiscard]] shared_history::TaskNumber number_of(Strand* task, Stock& stock);
  [[nodiscard]] shared_history::TaskNumber task_of(const Step& step) const noexcept {
    return pair(step.pair).task;
  }
  [[nodiscard]] std::uint32_t created_at(shared_history::TaskNumber task) const noexcept {
    return pair(task).created_at;
  }
  [[nodiscard]] shared_history::TaskNumber creator_of(shared_history::TaskNumber task) const noexcept {
    return pair(pair(task).prefix).task;
  }
  // The pair, or that of the step which stands for it. Of no pair, and of an ancient one: nothing.
  [[nodiscard]] Pair pair(PairId id) const noexcept;

  struct Size {
    std::uint64_t pairs;  // numbered so far, in blocks
    std::uint64_t steps;
    std::uint64_t bytes;  // of memory for labels at this moment, at most
  };
  [[nodiscard]] Size size() const {
    return {pairs_.numbered(), steps_.numbered(), pairs_.bytes() + steps_.bytes() + strands_.bytes()};
  }

 private:
  static constexpr std::uint32_t kMostPairs = ANYORDER_TSAN ? 1U << 24U : 0xffff'ff00U;

  // One side of a comparison, on its way up.
  struct Side {
    PairId id;
    Pair pair;
    std::uint32_t joins;  // of the pair, where the way comes from
    Branch branch;
    bool is_gone;  // the way began below, in a fork that is over
  };
  [[nodiscard]] Side side_of(PairId id) const noexcept;
  void find(Side& side) const noexcept;
  void go_up(Side& side) const noexcept;
  void meet(Side& a, Side& b) const noexcept;

  // The strand of a finish in the innermost strand of the task.
  [[nodiscard]] Strand* fork(Strand* task, Stock& stock);
  void join(Strand* task, Strand& strand, Stock& stock);
  static void moved(Strand* task) noexcept {
    task->position = {};
    task->step = kNoStep;
  }
  [[nodiscard]] bool try_place(Strand* task, Stock& stock) noexcept;
  void make_pair(Strand& strand, Stock& stock);
  void store_pair(Strand& strand, PairId id) noexcept;
  [[nodiscard]] static Records<Pair>::Membership membership(const Strand& strand) noexcept;
  [[nodiscard]] static Records<Step>::Membership membership_of_step(const Strand* task) noexcept;
  // If all that extends the step is over: what stands for it.
  [[nodiscard]] std::optional<Step> over(const Step& step) const noexcept;
  void forget_if_all_precedes(Strand* task, Stock& stock);

  const Limits limits_;
  // One, of the size by which shadow memory knows that it is not the program's.
  shadow::Reservation reservation_;
  Records<Pair> pairs_;
  Records<Step> steps_;
  Strands strands_;
  std::atomic<std::uint32_t> roots_{0};
};

}  // namespace anyorder::detect::offset_span
