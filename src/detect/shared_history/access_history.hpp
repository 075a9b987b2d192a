// The two checks on shadow memory, by many threads at once: who wrote and read each byte, and what conflicts.
//
// Three ways to make an access of a word, each tried before the next:
//   1. the step's own entry has the bytes already: one load, since only the step itself can have put it
//   there;
//   2. a consistent look at the cell (shadow/version_lock.hpp), what follows from it, and, if that is another
//      one, an exchange of exactly the cell that was seen: read, compute and update, as SPD3 §5.4 has it.
//      What follows: at once, if all entries are past or known to precede; by what the thread remembers; or
//      by the rules on a copy;
//   3. the same under the word's lock, where the word is split or has to be.
// So the memory actions on a word take effect one after the other, as the algorithms demand.
//
// Contract: any thread, for the task that it runs. A Thread is the caller's own. What is not inlined here is
// in access_whole.hpp: included where a detector instantiates its history, and nowhere else.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "detect/shared_history/cell.hpp"
#include "detect/shared_history/conflict.hpp"
#include "detect/shared_history/ids.hpp"
#include "detect/shared_history/known_outcomes.hpp"
#include "detect/shared_history/order.hpp"
#include "detect/shared_history/rules.hpp"
#include "detect/shared_history/shared_byte_sites.hpp"
#include "findings/race.hpp"
#include "shadow/concurrent_shadow.hpp"
#include "shadow/version_lock.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect::shared_history {

// What a thread has of a detector for itself.
template <Order O>
struct Thread {
  typename O::Stock stock;
  typename O::Known known;
  KnownOutcomes<typename O::Step> outcomes;
  events::QuickKnown quick;
  std::vector<Conflict> conflicts;  // of the access that is being made
};

template <Order O, class ReaderRule>
class AccessHistory {
  using Task = typename O::Task;
  using Step = typename O::Step;
  using Outcomes = KnownOutcomes<Step>;

 public:
  using Thread = shared_history::Thread<O>;
  // ThreadSanitizer leaves little address space: there, only what the constructor is given can be accessed.
  static constexpr unsigned kAddressBits = ANYORDER_TSAN ? 32 : shadow::kProcessBits;
  using Lock = shadow::VersionLock<CellPolicy>;
  using Memory = shadow::ConcurrentShadow<CellPolicy, kAddressBits, Lock>;
  static_assert(Memory::kNoted == events::QuickSteps::kInUse);

  // All memory of the process, or this memory and no other. Throws what the shadow throws.
  explicit AccessHistory(O& order) : order_(order) {}
  AccessHistory(O& order, std::span<const shadow::AddressRange> memory) : order_(order), shadow_(memory) {}

  // All cells, as events/quick_steps.hpp has them. Null: their window is another one.
  [[nodiscard]] char* quick_cells() const noexcept {
    constexpr bool kSameWindow = kAddressBits == events::QuickCell::kAddressBits;
    return kSameWindow ? reinterpret_cast<char*>(&shadow_.place(0)) : nullptr;
  }

  [[nodiscard]] const char* noted() const noexcept { return shadow_.noted(); }

  // Within one word, and none that events::QuickStep knows. False: not simple, and nothing was done. Takes no
  // memory and waits for nobody.
  template <findings::AccessKind kKind, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline bool try_access(Task task, std::uintptr_t address, unsigned bytes,
                                                           SiteOf& site_of, Thread& thread) {
    const Look seen = look_at(address);
    const ByteMask mask = mask_at(address, bytes);
    // Without its place.
    if (kKind == findings::AccessKind::read && has_two_readers(seen.entries) &&
        changes_nothing(seen, task, address, mask, thread)) {
      return true;
    }
    Entries after;
    return try_news<kKind>(seen, task, address, mask, site_of, thread, after) != Made::not_simple;
  }
  // Of any bytes, from the first on, as far as it is simple; how many. Takes no memory and waits for nobody.
  template <findings::AccessKind kKind, class SiteOf>
  [[nodiscard]] std::size_t try_range(Task task, std::uintptr_t address, std::size_t bytes, SiteOf& site_of,
                                      Thread& thread) {
    constexpr std::uintptr_t kWord = Memory::kWordBytes;
    const std::uintptr_t end = address + bytes;
    for (std::uintptr_t at = address; at < end;) {
      const std::uintptr_t length = std::min(end - at, kWord - at % kWord);
      const Look seen = look_at(at);
      Entries after;
      const Made made =
          try_word<kKind>(seen, task, at, mask_at(at, static_cast<unsigned>(length)), site_of, thread, after);
      if (made == Made::not_simple) return at - address;
      at += length;
      if (length == kWord && end - at >= kWord) at = repeat<kKind>(made, seen.entries, after, task, at, end);
    }
    return bytes;
  }

  // The accesses that it races with are valid until the thread's next call.
  [[nodiscard]] std::span<const Conflict> read(Task task, std::uintptr_t address, std::size_t bytes,
                                               PlaceId place, Thread& thread);
  [[nodiscard]] std::span<const Conflict> write(Task task, std::uintptr_t address, std::size_t bytes,
                                                PlaceId place, Thread& thread);

  void forget(std::uintptr_t address, std::size_t bytes) noexcept { shadow_.forget(address, bytes); }
  void release(std::uintptr_t address, std::size_t bytes) noexcept { shadow_.release(address, bytes); }
  [[nodiscard]] bool admit(std::uintptr_t address, std::size_t bytes) noexcept {
    return shadow_.admit(address, bytes);
  }
  void admit_process() { shadow_.admit_process(); }
  void expect(std::uintptr_t address, std::size_t bytes) noexcept { shadow_.expect(address, bytes); }
  [[nodiscard]] shadow::ShadowStatistics statistics() const { return shadow_.statistics(); }

  // For tests: what is kept of a word, or nothing of one that is split.
  [[nodiscard]] std::optional<Entries> entries_at(std::uintptr_t address) const {
    typename Lock::Snapshot seen;
    if (!Lock::look(shadow_.place(address), seen)) return std::nullopt;
    return seen.cell.entries;
  }

  // The task's step can be said afterwards. Takes memory.
  void locate(Task task, Thread& thread) {
    if (!order_.can_place(task, thread.stock)) order_.place(task, thread.stock);
  }

 private:
  // What became of an access.
  enum class Made : std::uint8_t {
    not_simple,  // nothing was done
    known,       // an entry of the step itself had it
    quiet,       // there was nothing to remember
    changed,     // the cell has it, as the thread remembers
  };

  // Who makes an access, as the rules want it.
  class Actor {
   public:
    // The task can be placed.
    Actor(O& order, Task task, Thread& thread) noexcept
        : order_(order), task_(task), thread_(thread), own_(order.position_of(task)) {}

    [[nodiscard]] Task task() const noexcept { return task_; }
    [[nodiscard]] Thread& thread() const noexcept { return thread_; }
    [[nodiscard]] StepId step() const noexcept { return order_.kept_step_of(task_); }
    [[nodiscard]] bool parallel(StepId other) noexcept { return to(other).parallel; }
    [[nodiscard]] bool above(StepId r, StepId q) noexcept {
      // Of the three pairs, two part at the same depth, and the third there or further down.
      const std::uint32_t depth = to(r).lca_depth;
      return depth == to(q).lca_depth && depth < between(order_.step(r), order_.step(q)).lca_depth;
    }
    [[nodiscard]] bool right_of(StepId other) noexcept { return to(other).a_is_left; }
    [[nodiscard]] bool left(StepId r, StepId q) noexcept {
      return between(order_.step(r), order_.step(q)).a_is_left;
    }

   protected:
    O& order_;
    Task task_;
    Thread& thread_;

   private:
    [[nodiscard]] Relation between(const Step& a, const Step& b) noexcept {
      return order_.relation(a, b, thread_.known);
    }
    [[nodiscard]] const Relation& to(StepId other) noexcept {
      for (const Answer& answer : answers_) {
        if (answer.other == other) return answer.relation;
      }
      Answer& answer = answers_[next_];
      next_ = (next_ + 1) % kAnswers;
      answer = {other, other < order_.past() ? Relation{false, true, 0} : between(order_.step(other), own_)};
      return answer.relation;
    }

    // Rules ask for the same again, of the entries of one cell.
    struct Answer {
      StepId other = kNoStep;
      Relation relation{};
    };
    static constexpr std::size_t kAnswers = std::tuple_size_v<Entries>;

    Step own_;
    std::array<Answer, kAnswers> answers_{};
    std::size_t next_ = 0;
  };

  class QuickActor : public Actor {
   public:
    QuickActor(O& order, Task task, Thread& thread, PlaceId place) noexcept
        : Actor(order, task, thread), place_(place) {}
    [[nodiscard]] Entry entry() {
      const StepId step = this->order_.try_keep_step_of(this->task_, this->thread_.stock);
      return step == kNoStep ? Entry{} : Entry(step, findings::AccessKind::read, place_, 0);
    }
    bool merge(Entry& to, Entry made) noexcept {
      return SharedByteSites::merge_as_known(to, made, this->thread_.quick.merges);
    }
    static bool race(findings::AccessKind /*kind*/, Entry /*earlier*/) noexcept { return false; }

   private:
    PlaceId place_;
  };
  class ThoroughActor;

  // What a word's cell was; the entries are of one moment if is_still() says so afterwards.
  struct Look {
    std::uint64_t version;
    Entries entries;
  };
  [[nodiscard, gnu::always_inline]] inline Look look_at(std::uintptr_t address) const noexcept {
    Cell& place = shadow_.place(address);
    const std::uint64_t version = Lock::version_of(place);
    return {version, {entry_of(place, 0), entry_of(place, 1), entry_of(place, 2)}};
  }

  [[nodiscard, gnu::always_inline]] inline const events::QuickStepCell& quick_cell(
      std::uintptr_t address) const noexcept {
    return reinterpret_cast<const events::QuickStepCell&>(shadow_.place(address));
  }

  // Of bytes of one word; and which entries it has, if that was changed.
  template <findings::AccessKind kKind, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline Made try_word(const Look& seen, Task task, std::uintptr_t address,
                                                         ByteMask mask, SiteOf& site_of, Thread& thread,
                                                         Entries& after) {
    const StepId own = order_.kept_step_of(task);
    if (knows<kKind>(seen.entries, own, mask)) return Made::known;
    if (kKind == findings::AccessKind::read && has_two_readers(seen.entries) &&
        changes_nothing(seen, task, address, mask, thread)) {
      return Made::quiet;
    }
    return try_news<kKind>(seen, task, address, mask, site_of, thread, after);
  }
  // The same, if that is not known.
  template <findings::AccessKind kKind, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline Made try_news(const Look& seen, Task task, std::uintptr_t address,
                                                         ByteMask mask, SiteOf& site_of, Thread& thread,
                                                         Entries& after) {
    if (!Lock::is_still(shadow_.place(address), seen.version)) return Made::not_simple;
    const PlaceId at = site_of();
    if (at == kNoPlace) return Made::not_simple;
    const StepId own = begun_step_of(task, thread);
    if (own == kNoStep || !replace<kKind>(seen.entries, Entry(own, kKind, at, mask), thread, after))
        [[unlikely]] {
      // A copy: whatever has an address is not in registers.
      const Look copied{seen.version, {seen.entries[0], seen.entries[1], seen.entries[2]}};
      return try_compared<kKind>(copied, task, address, mask, at, thread, after);
    }
    return change(address, seen.version, after);
  }
  // The number of the task's step, of which is asked what precedes it from now on. kNoStep: not simple.
  [[nodiscard, gnu::always_inline]] inline StepId begun_step_of(Task task, Thread& thread) {
    const StepId own = order_.kept_step_of(task);
    return own != kNoStep && thread.quick.preceding.is_of(own) ? own : begin_step_of(task, thread);
  }
  [[nodiscard, gnu::noinline]] StepId begin_step_of(Task task, Thread& thread) {
    if (!order_.can_place(task, thread.stock)) return kNoStep;
    const StepId own = order_.try_keep_step_of(task, thread.stock);
    if (own != kNoStep) thread.quick.preceding.begin(own, order_);
    return own;
  }
  // What most accesses of data that others have left are.
  template <findings::AccessKind kKind>
  [[nodiscard, gnu::always_inline]] inline bool replace(const Entries& entries, Entry made,
                                                        const Thread& thread, Entries& after) const noexcept {
    constexpr auto kAccess =
        kKind == findings::AccessKind::write ? events::Access::write : events::Access::read;
    events::QuickQuietReads::Entries words;
    const bool simple = events::replace_preceding<kAccess>(words_of(entries), made.word(), order_.past(),
                                                           thread.quick, words);
    if (simple) after = {Entry::of_word(words[0]), Entry::of_word(words[1]), Entry::of_word(words[2])};
    return simple;
  }
  // By what the thread remembers, or else by the rules.
  template <findings::AccessKind kKind>
  [[nodiscard, gnu::noinline]] Made try_compared(const Look& seen, Task task, std::uintptr_t address,
                                                 ByteMask mask, PlaceId at, Thread& thread, Entries& after) {
    if (!order_.can_place(task, thread.stock)) [[unlikely]]
      return Made::not_simple;
    if (follows<kKind>(seen.entries, task, at, mask, thread, after))
      return change(address, seen.version, after);
    const typename Outcomes::Outcome& outcome = thread.outcomes.template of<kKind>(at, mask);
    if (Outcomes::is_of(outcome, order_.position_of(task), at, mask, seen.entries)) {
      after = outcome.after;
      return change(address, seen.version, after);
    }
    QuickActor actor(order_, task, thread, at);
    Cell cell{0, seen.entries};
    const Effect effect = shared_history::access<kKind, ReaderRule>(cell, mask, actor);
    if (effect == Effect::failed) return Made::not_simple;
    after = cell.entries;
    remember<kKind>(actor, shadow_.place(address), at, mask, effect, seen.entries, after);
    return effect == Effect::none ? Made::quiet : change(address, seen.version, after);
  }
  [[nodiscard, gnu::always_inline]] static inline bool has_two_readers(const Entries& entries) noexcept {
    unsigned count = 0;
    for (const Entry& entry : entries) count += !entry.none() && !entry.writes() ? 1 : 0;
    return count == 2;
  }
  // Whether a read leaves two readers as they are, as was seen at one moment.
  [[nodiscard, gnu::noinline]] bool changes_nothing(Look seen, Task task, std::uintptr_t address,
                                                    ByteMask mask, Thread& thread) {
    if (!Lock::is_still(shadow_.place(address), seen.version)) return false;
    const StepId own = begun_step_of(task, thread);
    if (own == kNoStep) return false;
    events::QuickQuietReads& quiet = thread.quick.quiet;
    if (quiet.knows(quick_cell(address), own, mask, words_of(seen.entries), order_.past())) return true;
    Actor actor(order_, task, thread);
    if (!two_readers_stay<ReaderRule>(seen.entries, mask, actor)) return false;
    quiet.add(quick_cell(address), own, mask, words_of(seen.entries), order_.past());
    return true;
  }
  // What the rules do where all other entries with these bytes are known to precede, without asking: the
  // step's own takes their place, but a read leaves the writer. False: it is not so simple, and `after`
  // undefined.
  template <findings::AccessKind kKind>
  [[nodiscard, gnu::always_inline]] inline bool follows(const Entries& entries, Task task, PlaceId at,
                                                        ByteMask mask, Thread& thread, Entries& after) {
    constexpr bool kWrites = kKind == findings::AccessKind::write;
    const StepId own = order_.try_keep_step_of(task, thread.stock);
    if (own == kNoStep) return false;
    thread.quick.preceding.begin(own, order_);
    const StepId past = order_.past();
    for (const Entry& entry : entries) {
      if ((entry.bytes() & mask) == 0 || entry.step() < past) continue;
      if (entry.step() == own ? !kWrites && entry.writes() : !thread.quick.preceding.has(entry.step()))
        return false;
    }
    const Entry made(own, kKind, at, mask);
    bool has_place = false;
    for (std::size_t i = 0; i != entries.size(); ++i) {
      Entry entry = entries[i];
      if (!entry.none() && entry.same_doing(made)) {
        if (!SharedByteSites::merge_as_known(entry, made, thread.quick.merges)) return false;
        has_place = true;
      } else if (kWrites || !entry.writes()) {
        entry = entry.within(~mask);
      }
      after[i] = entry;
    }
    for (Entry& entry : after) {
      if (has_place) break;
      if (!entry.none()) continue;
      entry = made;
      has_place = true;
    }
    return has_place;
  }
  [[nodiscard, gnu::always_inline]] inline Made change(std::uintptr_t address, std::uint64_t version,
                                                       const Entries& after) noexcept {
    shadow_.note(address);
    return Lock::replace(shadow_.place(address), version, Cell{0, after}) ? Made::changed : Made::not_simple;
  }
  // What an access did that found no race, and which of those that it was compared with precede it.
  template <findings::AccessKind kKind, class AnyActor>
  void remember(AnyActor& actor, const Cell& cell, PlaceId at, ByteMask mask, Effect effect,
                const Entries& before, const Entries& after) {
    Thread& thread = actor.thread();
    if (effect != Effect::none) {
      thread.outcomes.template add<kKind>(order_.position_of(actor.task()), at, mask, before, after);
    }
    const StepId own = order_.try_keep_step_of(actor.task(), thread.stock);
    if (own == kNoStep) return;
    if (effect == Effect::none && kKind == findings::AccessKind::read) {
      thread.quick.quiet.add(reinterpret_cast<const events::QuickStepCell&>(cell), own, mask,
                             words_of(before), order_.past());
    }
    thread.quick.preceding.begin(own, order_);
    for (const Entry& entry : before) {
      if ((entry.bytes() & mask) == 0 || entry.step() == own || entry.step() < order_.past()) continue;
      // What is not in parallel with a step that runs precedes it.
      if (!actor.parallel(entry.step())) thread.quick.preceding.add(entry.step());
    }
  }
  // After an access of a whole word with such entries: the same for those that follow and have the same, up
  // to the address that it returns.
  template <findings::AccessKind kKind>
  [[nodiscard, gnu::always_inline]] inline std::uintptr_t repeat(Made made, const Entries& seen,
                                                                 const Entries& after, Task task,
                                                                 std::uintptr_t begin, std::uintptr_t end) {
    const std::span<Cell> cells = shadow_.places(begin, end - begin);
    std::size_t i = 0;
    if (made == Made::known) {
      const StepId own = order_.kept_step_of(task);
      std::size_t which = 0;
      while (!has<kKind>(seen[which], own, kAllBytes)) ++which;
      i = Lock::count_with(cells, 1 + which, seen[which].word());
    } else if (made == Made::quiet) {
      i = Lock::count_run(cells, Cell{0, seen});
    } else {
      shadow_.note(begin);
      const std::size_t noted = (Memory::kNoted - begin % Memory::kNoted) / Memory::kWordBytes;
      i = Lock::replace_run(cells.first(std::min(noted, cells.size())), Cell{0, seen}, Cell{0, after});
    }
    return begin + i * Memory::kWordBytes;
  }

  static ByteMask mask_at(std::uintptr_t address, unsigned bytes) noexcept {
    return mask_of(static_cast<unsigned>(address % Memory::kWordBytes), bytes);
  }
  [[nodiscard, gnu::always_inline]] static inline Entry entry_of(Cell& place, std::size_t i) noexcept {
    return Entry::of_word(Lock::look_at(place, 1 + i));
  }
  [[nodiscard, gnu::always_inline]] static inline events::QuickQuietReads::Entries words_of(
      const Entries& entries) noexcept {
    return {entries[0].word(), entries[1].word(), entries[2].word()};
  }
  // Whether the step's own entry has the bytes. Nobody else makes such an entry; and whoever took it away, or
  // came between, races with it and has told. So the entries need not be of one moment.
  template <findings::AccessKind kKind>
  [[nodiscard, gnu::always_inline]] static inline bool knows(const Entries& entries, StepId own,
                                                             ByteMask mask) noexcept {
    if (own == kNoStep) return false;
    for (const Entry& entry : entries) {
      if (has<kKind>(entry, own, mask)) return true;
    }
    return false;
  }
  template <findings::AccessKind kKind>
  [[nodiscard, gnu::always_inline]] static inline bool has(Entry entry, StepId own, ByteMask mask) noexcept {
    return entry.covers(own, mask) && (kKind == findings::AccessKind::read || entry.writes());
  }

  template <findings::AccessKind kKind>
  void access_words(Task task, std::uintptr_t address, std::size_t bytes, PlaceId place, Thread& thread);
  template <findings::AccessKind kKind>
  [[nodiscard]] bool access_whole(Cell& place, ByteMask mask, ThoroughActor& actor);
  template <findings::AccessKind kKind>
  void access_locked(std::uintptr_t word, unsigned from, unsigned to, ThoroughActor& actor);
  template <findings::AccessKind kKind>
  static void access_parts(typename Memory::Word& split, std::uintptr_t word, unsigned from, unsigned to,
                           ThoroughActor& actor);
  static void join(typename Memory::Word& split, std::uintptr_t word, ThoroughActor& actor);

  O& order_;
  Memory shadow_;
  SharedByteSites sites_;
};

}  // namespace anyorder::detect::shared_history
