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
#include "detect/spd3/rules.hpp"
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
    if (knows<kKind>(place, tree_.kept_step_of(task), mask)) return true;
    Lock::Snapshot seen;
    if (!Lock::look(place, seen)) return false;
    Cell cell = seen.cell;
    QuickActor<SiteOf> actor(tree_, task, thread, site_of);
    const Effect effect = access<kKind>(cell, mask, actor);
    return effect == Effect::none || (effect == Effect::changed && Lock::replace(place, seen, cell));
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

  template <class SiteOf>
  class QuickActor : public Actor {
   public:
    QuickActor(Tree& tree, NodeId task, Thread& thread, SiteOf& site_of) noexcept
        : Actor(tree, task, thread), site_of_(site_of) {}
    [[nodiscard]] Entry entry() {
      const PlaceId place = site_of_();
      if (place == kNoPlace) return Entry{};
      const StepId step = tree_.keep_step_of(task_, thread_.stock);
      return step == kNoStep ? Entry{} : Entry(step, place, 0);
    }
    static bool race(findings::AccessKind /*kind*/, Entry /*earlier*/) noexcept { return false; }

   private:
    SiteOf& site_of_;
  };
  class ThoroughActor;

  static ByteMask mask_at(std::uintptr_t address, unsigned bytes) noexcept {
    return mask_of(static_cast<unsigned>(address % Memory::kWordBytes), bytes);
  }
  // Whether the step's own entry has the bytes. Nobody else makes such an entry; and whoever took it away, or
  // came between, races with it and has told.
  template <findings::AccessKind kKind>
  [[nodiscard, gnu::always_inline]] static inline bool knows(Cell& place, StepId own,
                                                             ByteMask mask) noexcept {
    if (own == kNoStep) return false;
    const auto has = [&](std::size_t i) { return Entry::of_word(Lock::look_at(place, i)).covers(own, mask); };
    return has(1) || (kKind == findings::AccessKind::read && (has(2) || has(3)));
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
  static void join(Memory::Word& split, std::uintptr_t word);

  Tree& tree_;
  Memory shadow_;
};

}  // namespace anyorder::detect::spd3
