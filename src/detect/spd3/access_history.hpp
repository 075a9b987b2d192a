// The two checks on shadow memory, by many threads at once: who wrote and read each byte, and what conflicts.
//
// Three ways to make an access of a word, each tried before the next:
//   1. the step's own entry has the bytes already: one load, since only the step itself can have put it
//   there;
//   2. a consistent look at the cell (shadow/version_lock.hpp), the rules on a copy, and, if that changed,
//      an exchange of exactly the cell that was seen: the paper's read, compute and update of §5.4;
//   3. the same under the word's lock, where the word is split or has to be.
// So the memory actions on a word take effect one after the other, as the algorithm demands.
//
// Contract: any thread, for the task that it runs. A Thread is the caller's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "detect/spd3/cell.hpp"
#include "detect/spd3/ids.hpp"
#include "detect/spd3/known_branchings.hpp"
#include "detect/spd3/known_outcomes.hpp"
#include "detect/spd3/rules.hpp"
#include "detect/spd3/shared_byte_sites.hpp"
#include "detect/spd3/tree.hpp"
#include "findings/race.hpp"
#include "shadow/concurrent_shadow.hpp"
#include "shadow/version_lock.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect::spd3 {

// An earlier access that an access conflicts with, and may run in parallel with.
struct Conflict {
  std::uintptr_t begin;
  std::uintptr_t end;
  findings::AccessKind kind;
  StepId step;
  PlaceId place;
};

// What a thread has of a detector for itself.
struct Thread {
  Tree::Stock stock;
  KnownBranchings known;
  KnownOutcomes outcomes;
  KnownMerges merges;
  std::vector<Conflict> conflicts;  // of the access that is being made
};

class AccessHistory {
 public:
  // ThreadSanitizer leaves little address space: there, only what the constructor is given can be accessed.
  static constexpr unsigned kAddressBits = ANYORDER_TSAN ? 32 : shadow::kProcessBits;
  using Lock = shadow::VersionLock<CellPolicy>;
  using Memory = shadow::ConcurrentShadow<CellPolicy, kAddressBits, Lock>;

  // All memory of the process, or this memory and no other. Throws what the shadow throws.
  explicit AccessHistory(Tree& tree) : tree_(tree) {}
  AccessHistory(Tree& tree, std::span<const shadow::AddressRange> memory) : tree_(tree), shadow_(memory) {}

  // Within one word. False: not simple, and nothing was done. Takes no memory and no lock.
  template <findings::AccessKind kKind, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline bool try_access(NodeId task, std::uintptr_t address,
                                                           unsigned bytes, SiteOf& site_of, Thread& thread) {
    Cell& place = shadow_.place(address);
    const ByteMask mask = mask_at(address, bytes);
    const std::uint64_t version = Lock::version_of(place);
    const KnownOutcomes::Entries entries = entries_of(place);
    if (knows<kKind>(entries, tree_.kept_step_of(task), mask)) return true;
    if (!Lock::is_still(place, version)) return false;
    const Step by = tree_.position_of(task);
    if (kKind == findings::AccessKind::read && thread.outcomes.knows_quiet(by, mask, entries)) return true;
    const PlaceId at = site_of();
    if (at == kNoPlace) return false;
    const KnownOutcomes::Outcome& outcome = thread.outcomes.of<kKind>(at, mask);
    if (!KnownOutcomes::is_of(outcome, by, at, mask, entries)) [[unlikely]] {
      return make_first<kKind>(address, version, entries, task, at, mask, thread);
    }
    if (!outcome.changes) return true;
    shadow_.note(address);
    return Lock::replace(place, version, Cell{0, outcome.after});
  }

  // The accesses that it races with are valid until the thread's next call.
  [[nodiscard]] std::span<const Conflict> read(NodeId task, std::uintptr_t address, std::size_t bytes,
                                               PlaceId place, Thread& thread);
  [[nodiscard]] std::span<const Conflict> write(NodeId task, std::uintptr_t address, std::size_t bytes,
                                                PlaceId place, Thread& thread);

  void forget(std::uintptr_t address, std::size_t bytes) noexcept { shadow_.forget(address, bytes); }
  void release(std::uintptr_t address, std::size_t bytes) noexcept { shadow_.release(address, bytes); }
  [[nodiscard]] bool admit(std::uintptr_t address, std::size_t bytes) noexcept {
    return shadow_.admit(address, bytes);
  }
  void admit_process() { shadow_.admit_process(); }
  [[nodiscard]] shadow::ShadowStatistics statistics() const { return shadow_.statistics(); }

  // How two steps lie to each other.
  [[nodiscard]] Relation relation(const Step& a, const Step& b, Thread& thread) const noexcept {
    return relation_of(thread.known.of(tree_, a.scope, b.scope), a.position, b.position);
  }

 private:
  // Who makes an access, as the rules want it.
  class Actor {
   public:
    Actor(Tree& tree, NodeId task, Thread& thread) noexcept
        : tree_(tree), task_(task), thread_(thread), own_(tree.position_of(task)) {}

    [[nodiscard]] StepId step() const noexcept { return tree_.kept_step_of(task_); }
    [[nodiscard]] bool parallel(StepId other) noexcept { return to(other).parallel; }
    [[nodiscard]] bool above(StepId r, StepId q) noexcept {
      return to(r).lca_depth < between(tree_.step(r), tree_.step(q)).lca_depth;
    }

   protected:
    Tree& tree_;
    NodeId task_;
    Thread& thread_;

   private:
    [[nodiscard]] Relation between(const Step& a, const Step& b) noexcept {
      return relation_of(thread_.known.of(tree_, a.scope, b.scope), a.position, b.position);
    }
    [[nodiscard]] Relation to(StepId other) noexcept { return between(tree_.step(other), own_); }

    Step own_;
  };

  class QuickActor : public Actor {
   public:
    QuickActor(Tree& tree, NodeId task, Thread& thread, PlaceId place) noexcept
        : Actor(tree, task, thread), place_(place) {}
    [[nodiscard]] Entry entry() {
      const StepId step = tree_.keep_step_of(task_, thread_.stock);
      return step == kNoStep ? Entry{} : Entry(step, findings::AccessKind::read, place_, 0);
    }
    bool merge(Entry& to, Entry made) noexcept { return thread_.merges.merge(to, made); }
    static bool race(findings::AccessKind /*kind*/, Entry /*earlier*/) noexcept { return false; }

   private:
    PlaceId place_;
  };
  class ThoroughActor;

  // The first access of a step to such a cell. False: it is not simple, and nothing was done.
  template <findings::AccessKind kKind>
  [[nodiscard, gnu::noinline]] bool make_first(std::uintptr_t address, std::uint64_t version,
                                               const KnownOutcomes::Entries& entries, NodeId task, PlaceId at,
                                               ByteMask mask, Thread& thread) {
    QuickActor actor(tree_, task, thread, at);
    Cell cell{0, entries};
    const Effect effect = access<kKind>(cell, mask, actor);
    if (effect == Effect::failed) return false;
    thread.outcomes.add<kKind>(tree_.position_of(task), at, mask, effect, entries, cell.entries);
    if (effect == Effect::none) return true;
    shadow_.note(address);
    return Lock::replace(shadow_.place(address), version, cell);
  }

  static ByteMask mask_at(std::uintptr_t address, unsigned bytes) noexcept {
    return mask_of(static_cast<unsigned>(address % Memory::kWordBytes), bytes);
  }
  [[nodiscard, gnu::always_inline]] static inline KnownOutcomes::Entries entries_of(Cell& place) noexcept {
    return {Entry::of_word(Lock::look_at(place, 1)), Entry::of_word(Lock::look_at(place, 2)),
            Entry::of_word(Lock::look_at(place, 3))};
  }
  // Whether the step's own entry has the bytes. Nobody else makes such an entry; and whoever took it away, or
  // came between, races with it and has told. So the entries need not be of one moment.
  template <findings::AccessKind kKind>
  [[nodiscard, gnu::always_inline]] static inline bool knows(const KnownOutcomes::Entries& entries,
                                                             StepId own, ByteMask mask) noexcept {
    if (own == kNoStep) return false;
    for (const Entry& entry : entries) {
      if (entry.covers(own, mask) && (kKind == findings::AccessKind::read || entry.writes())) return true;
    }
    return false;
  }

  template <findings::AccessKind kKind>
  void access_words(NodeId task, std::uintptr_t address, std::size_t bytes, PlaceId place, Thread& thread);
  template <findings::AccessKind kKind>
  [[nodiscard]] bool access_whole(Cell& place, ByteMask mask, ThoroughActor& actor);
  template <findings::AccessKind kKind>
  void access_locked(std::uintptr_t word, unsigned from, unsigned to, ThoroughActor& actor);
  template <findings::AccessKind kKind>
  static void access_parts(Memory::Word& split, std::uintptr_t word, unsigned from, unsigned to,
                           ThoroughActor& actor);
  static void join(Memory::Word& split, std::uintptr_t word, ThoroughActor& actor);

  Tree& tree_;
  Memory shadow_;
  SharedByteSites sites_;
};

}  // namespace anyorder::detect::spd3
