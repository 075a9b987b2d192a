// The controlled executor: tasks as fibers on one thread, one order of isolated sections at a time.
//
// What is not isolated runs as soon as it can. When every task stands, in front of a section or waiting for
// another task, a director says which section goes next; it runs as a whole, and all that it lets run after
// it. Likewise for a task that awaits one of several: it stands once for each of them that has ended. So the
// director's answers are all that two runs of a deterministic program can differ in.
//
// Contract: one run at a time on a thread, which runs nothing else of the library meanwhile. A task's stack
// has the same address in every run, as long as the task is the same child of the same parents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "anyorder/detail/region_state.hpp"
#include "anyorder/isolated.hpp"
#include "runtime/worker.hpp"

namespace anyorder::runtime {

// Where stacks are put, by lineage: far from where the kernel puts anything by itself.
inline constexpr std::uintptr_t kFiberStacksBegin = 0x1000'0000'0000;

// A task that can go on: in front of a section, or with one of those that it awaits.
struct Standing {
  detail::Task* task;
  source_site at;
  detail::RegionTask* chosen = nullptr;  // null: a section
};

class Director {
 public:
  virtual ~Director() = default;
  // All tasks stand. The index of the one that goes on; `standing` is in the order in which they arrived, and
  // what a task can choose from in that of its posts. If
  // it is empty, the tasks that are left wait for each other, and nothing can go on. No answer abandons the
  // run: its tasks stand where they are for ever, and what they own is not destroyed.
  virtual std::optional<std::size_t> next(std::span<const Standing> standing) = 0;
};

class Controlled {
 public:
  // To be made, used and destroyed outside every task of the calling thread.
  Controlled();
  Controlled(const Controlled&) = delete;
  Controlled& operator=(const Controlled&) = delete;
  ~Controlled();

  enum class Ending : std::uint8_t { complete, abandoned };
  // Runs a task and all that it creates. Throws what the first of them that failed has thrown.
  Ending run(detail::Task& first, Director& director);

  // For the director: each(low, stands_at) for every task that stands; what it has on its stack lies above.
  template <class Each>
  void for_each_stack(Each each) const {
    for (const auto& [lineage, fiber] : fibers_) {
      if (fiber.in_use) each(fiber.strand->memory.low(), fiber.stands_at);
    }
  }

  // Whether the running task is the first one, outside every finish, and no other is alive.
  [[nodiscard]] bool at_rest() const noexcept;

  // --- For the entry points; the running strand is one of this run's. -------------------------------------
  void created(detail::Task& task);
  // Returns when the director has chosen this section.
  void await_turn(const detail::IsolatedSection& section);
  // Returns when the director has chosen one of the owner's posts that have ended: that one.
  detail::RegionTask& await_choice(const detail::RegionOwner& owner, const source_site& site);
  void make_ready(Strand& strand);
  // Leaves the running strand, which `after` makes findable; returns when it was made ready.
  void suspend(support::Context::After after, void* argument) noexcept;

 private:
  // The same for a task in each run: which child of which parents it is.
  using Lineage = std::uint64_t;
  struct Fiber {
    std::unique_ptr<Strand> strand;
    Lineage lineage = 0;
    std::uint64_t children = 0;  // of the task that runs on it
    bool in_use = false;
    const char* stands_at = nullptr;  // what its task has on the stack lies above
  };
  struct Created {
    detail::Task* task;
    Lineage lineage;
  };
  struct Arrived {
    Strand* strand;
    source_site at;
    const detail::RegionOwner* owner = nullptr;  // null: in front of a section
  };

  static void run_each_first(support::Context& self);
  void begin(const Created& created);
  void go_on_with(Strand& strand);
  Strand* choose(Director& director);
  Fiber& fiber_for(Lineage lineage);
  void abandon();

  Worker& worker_;
  const detail::FinishScope* scope_ = nullptr;  // of the first task, while it runs
  Strand& hub_;  // the thread's own stack, on which run() goes from one strand to the next
  std::unordered_map<Lineage, Fiber> fibers_;
  std::unordered_map<const Strand*, Fiber*> fiber_of_;  // by its strand
  std::deque<Created> created_;                         // not begun yet
  std::vector<Strand*> ready_;
  std::vector<Arrived> arrived_;
  std::vector<Standing> standing_;        // what the director sees of them
  detail::RegionTask* chosen_ = nullptr;  // what the director has chosen last, if it was no section
  std::size_t alive_ = 0;                 // tasks that have been created and have not ended
};

}  // namespace anyorder::runtime
