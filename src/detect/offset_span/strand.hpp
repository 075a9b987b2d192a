// Where a task is, from its creation until nobody names it: one Strand for the task, and one for each finish
// that it has open. What is in it, only the task itself changes; before it begins, its creator does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "detect/offset_span/pair.hpp"
#include "detect/shared_history/ids.hpp"

namespace anyorder::detect::offset_span {

struct Strand {
  // Of a finish: what is around it in the same task. Else null.
  Strand* outer;
  // The last pair of the label, as the record has it if there is one; an owner's changes with each task that
  // it creates.
  PairId prefix;
  std::uint32_t prefix_joins;
  Branch branch;
  std::uint32_t depth;
  std::uint32_t created_at;
  PairId task;  // of a finish
  PairId pair;  // kNoPair: there is no record
  std::uint32_t joins;
  Step root;  // below which step of its root it is; of a root itself, no pair
  // Of a task: its innermost strand, itself if no finish is open; and the step there, if it has been asked
  // for.
  Strand* innermost;
  Step position;
  shared_history::StepId step;
};

// Memory for them, which goes from thread to thread: one may create the tasks that others run.
class Strands {
 public:
  // A thread's own.
  struct Stock {
    Strand* first = nullptr;  // linked by `outer`
    std::uint32_t count = 0;
  };

  [[nodiscard]] Strand* take(Stock& stock) {
    if (stock.first == nullptr) refill(stock);
    Strand* const taken = stock.first;
    stock.first = taken->outer;
    --stock.count;
    return taken;
  }
  void give_back(Strand* strand, Stock& stock) {
    strand->outer = stock.first;
    stock.first = strand;
    if (++stock.count == 2 * kBatch) give_batch(stock);
  }
  [[nodiscard]] std::size_t bytes() const {
    const std::lock_guard hold(mutex_);
    return memory_.size() * kBatch * sizeof(Strand);
  }

 private:
  static constexpr std::uint32_t kBatch = 64;

  [[gnu::noinline]] void refill(Stock& stock) {
    const std::lock_guard hold(mutex_);
    if (!batches_.empty()) {
      stock.first = batches_.back();
      batches_.pop_back();
    } else {
      memory_.push_back(std::make_unique<Strand[]>(kBatch));
      for (std::uint32_t i = 0; i != kBatch; ++i) {
        Strand& strand = memory_.back()[i];
        strand.outer = std::exchange(stock.first, &strand);
      }
    }
    stock.count = kBatch;
  }
  [[gnu::noinline]] void give_batch(Stock& stock) {
    Strand* const batch = stock.first;
    Strand* last = batch;
    for (std::uint32_t i = 1; i != kBatch; ++i) last = last->outer;
    stock.first = std::exchange(last->outer, nullptr);
    stock.count -= kBatch;
    const std::lock_guard hold(mutex_);
    batches_.push_back(batch);
  }

  mutable std::mutex mutex_;  // guards all below
  std::vector<std::unique_ptr<Strand[]>> memory_;
  std::vector<Strand*> batches_;  // of kBatch each
};

}  // namespace anyorder::detect::offset_span
