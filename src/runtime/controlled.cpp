#include "runtime/controlled.hpp"

#include <algorithm>
#include <utility>

#include "anyorder/future.hpp"
#include "events/running_task.hpp"
#include "runtime/finish.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/thread_root.hpp"
#include "runtime/tool.hpp"
#include "support/check.hpp"

namespace anyorder::runtime {
namespace {

constexpr std::size_t kFiberStack = std::size_t{4} << 20;
constexpr std::uint64_t kStackSlots = 1U << 16U;
constexpr std::size_t kSlot = 2 * kFiberStack;
// Stacks that nothing stands on are kept for the next run, up to this many of all.
constexpr std::size_t kMostFibers = 4096;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t x = (a ^ (b + 0x9E3779B97F4A7C15U)) * 0xBF58476D1CE4E5B9U;
  x ^= x >> 29U;
  x *= 0x94D049BB133111EBU;
  return x ^ x >> 32U;
}

// What abandoned runs have left. Never destroyed.
struct Left {
  std::vector<std::unique_ptr<Strand>> strands;
  std::vector<std::unique_ptr<detail::FinishScope>> scopes;
  std::vector<detail::Task*> tasks;  // not begun
};
Left& left() {
  static auto& only = *new Left;
  return only;
}

void* place_for(std::uint64_t lineage) noexcept {
  return reinterpret_cast<void*>(kFiberStacksBegin + lineage % kStackSlots * kSlot);
}

}  // namespace

Controlled::Controlled() : worker_(enter()), hub_(*worker_.own) {
  ANYORDER_CHECK(worker_.strand == worker_.own && worker_.controlled == nullptr,
                 "a controlled run begins on the thread's own stack");
}

Controlled::~Controlled() = default;

Controlled::Ending Controlled::run(detail::Task& first, Director& director) {
  // What an abandoned run leaves never ends: the caller's own finish must not wait for it.
  auto scope = std::make_unique<detail::FinishScope>(first.site);
  first.finish = scope.get();
  scope_ = scope.get();
  take_credit(scope->own);
  runtime::created(*hub_.task, first, nullptr);
  worker_.controlled = this;
  created_.push_back({&first, mixed(0, 0)});
  alive_ = 1;
  Ending ending = Ending::complete;
  while (alive_ != 0) {
    if (!ready_.empty()) {
      Strand& next = *ready_.back();
      ready_.pop_back();
      go_on_with(next);
    } else if (!created_.empty()) {
      const Created next = created_.front();
      created_.pop_front();
      begin(next);
    } else if (Strand* const chosen = choose(director)) {
      go_on_with(*chosen);
    } else {
      abandon();
      ending = Ending::abandoned;
      break;
    }
  }
  worker_.controlled = nullptr;
  worker_.running.store(false, std::memory_order_relaxed);
  resumed(*hub_.task);
  if (ending == Ending::complete) {
    scope->end();
  } else {
    hub_.view = scope->enclosing;
    left().scopes.push_back(std::move(scope));
  }
  return ending;
}

bool Controlled::at_rest() const noexcept {
  return alive_ == 1 && worker_.strand->view != nullptr && worker_.strand->view->scope == scope_;
}

void Controlled::created(detail::Task& task) {
  const events::InsideTool inside;  // what a task allocates is its own, but not this
  Fiber& parent = *fiber_of_.at(worker_.strand);
  created_.push_back({&task, mixed(parent.lineage, ++parent.children)});
  ++alive_;
}

void Controlled::await_turn(const detail::IsolatedSection& section) {
  {
    const events::InsideTool inside;
    arrived_.push_back({worker_.strand, section.site});
  }
  suspend(&do_nothing, nullptr);
}

detail::RegionTask& Controlled::await_choice(const detail::RegionOwner& owner, const source_site& site) {
  {
    const events::InsideTool inside;
    arrived_.push_back({worker_.strand, site, &owner});
  }
  suspend(&do_nothing, nullptr);
  return *chosen_;
}

void Controlled::make_ready(Strand& strand) {
  const events::InsideTool inside;
  ready_.push_back(&strand);
}

void Controlled::suspend(support::Context::After after, void* argument) noexcept {
  Strand& strand = *worker_.strand;
  fiber_of_.at(&strand)->stands_at = static_cast<const char*>(__builtin_frame_address(0));
  switch_to(worker_, strand, hub_, after, argument);
  resumed(*strand.task);
}

void Controlled::run_each_first(support::Context& self) {
  auto& strand = static_cast<Strand&>(self);
  for (;;) {
    execute(strand, *std::exchange(strand.first, nullptr));
    Worker& worker = *this_worker();
    Controlled& run = *worker.controlled;
    --run.alive_;
    run.fiber_of_.at(&strand)->in_use = false;
    switch_to(worker, strand, run.hub_, &do_nothing, nullptr);
  }
}

void Controlled::begin(const Created& created) {
  if (created.task->ops->kind == detail::TaskKind::future) {
    auto& future = static_cast<detail::FutureTask&>(*created.task);
    claim(future);
    future.has_place = true;  // there is no queue that it could have been left in
  }
  Fiber& fiber = fiber_for(created.lineage);
  fiber.in_use = true;
  fiber.children = 0;
  fiber.strand->task = nullptr;
  fiber.strand->view = nullptr;
  fiber.strand->first = created.task;
  go_on_with(*fiber.strand);
}

void Controlled::go_on_with(Strand& strand) {
  const bool inside = std::exchange(events::inside_tool, false);
  switch_to(worker_, hub_, strand, &do_nothing, nullptr);
  events::running_task() = nullptr;
  events::inside_tool = inside;
}

Strand* Controlled::choose(Director& director) {
  standing_.clear();
  for (const Arrived& arrived : arrived_) {
    if (arrived.owner == nullptr) {
      standing_.push_back({arrived.strand->task, arrived.at});
      continue;
    }
    for (detail::RegionTask* task = arrived.owner->posted.first; task != nullptr; task = task->posted.next) {
      if (task->has_ended()) standing_.push_back({arrived.strand->task, arrived.at, task});
    }
  }
  const std::optional<std::size_t> index = director.next(standing_);
  if (!index || standing_.empty()) return nullptr;
  ANYORDER_CHECK(*index < standing_.size(), "the director chooses among those that stand");
  chosen_ = standing_[*index].chosen;
  const auto chosen = std::find_if(arrived_.begin(), arrived_.end(), [&](const Arrived& arrived) {
    return arrived.strand->task == standing_[*index].task;
  });
  Strand* const strand = chosen->strand;
  arrived_.erase(chosen);
  return strand;
}

Controlled::Fiber& Controlled::fiber_for(Lineage lineage) {
  if (fibers_.size() >= kMostFibers && fibers_.find(lineage) == fibers_.end()) {
    std::erase_if(fibers_, [&](const auto& entry) {
      if (entry.second.in_use) return false;
      fiber_of_.erase(entry.second.strand.get());
      return true;
    });
  }
  while (true) {
    Fiber& fiber = fibers_[lineage];
    if (fiber.in_use) {  // another lineage with the same number
      lineage = mixed(lineage, 0);
      continue;
    }
    if (fiber.strand == nullptr) {
      fiber.strand =
          std::make_unique<Strand>(support::StackMemory(kFiberStack, place_for(lineage)), &run_each_first);
      fiber.lineage = lineage;
      fiber_of_.emplace(fiber.strand.get(), &fiber);
    }
    return fiber;
  }
}

void Controlled::abandon() {
  for (auto& [lineage, fiber] : fibers_) {
    if (!fiber.in_use) continue;
    fiber_of_.erase(fiber.strand.get());
    fiber.strand->memory.leave_for_good();
    left().strands.push_back(std::move(fiber.strand));
    fiber.in_use = false;
  }
  for (const Created& created : created_) left().tasks.push_back(created.task);
  created_.clear();
  arrived_.clear();
  alive_ = 0;
}

}  // namespace anyorder::runtime
