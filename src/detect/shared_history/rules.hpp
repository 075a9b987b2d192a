// What an access does to a cell: the write check and the read check, for all bytes of the access at once. The
// quick and the thorough way both go through here. SPD3 has them as Algorithms 1 and 2, offset-span labeling
// as checkwrite and checkread; the pages of the two detectors say where they are corrected.
//
// Contract: pure: a cell outside of the shadow, and an Actor that says
//
//   StepId step()                    the number of the step that makes the access; kNoStep if it has none yet
//   bool parallel(StepId other)      DMHP(other, the step); false for the step itself
//   bool above(StepId r, StepId q)   LCA(r, the step) is above LCA(r, q)
//   bool right_of(StepId other)      the step comes after the other when all runs serially
//   bool left(StepId r, StepId q)    r comes before q then
//   Entry entry()                    the step, at its place; nobody if that cannot be said here
//   bool merge(Entry& to, Entry e)   adds the bytes of e, of the same doing; false: an entry cannot have both
//   bool race(AccessKind, Entry)     a conflicting access that may run in parallel, with the bytes concerned;
//                                    false: give up
#pragma once

#include <cstddef>
#include <cstdint>

#include "detect/shared_history/cell.hpp"
#include "detect/shared_history/reader_rules.hpp"
#include "findings/race.hpp"

namespace anyorder::detect::shared_history {

enum class Effect : std::uint8_t {
  none,     // there is nothing to remember
  changed,  // the cell has it
  failed,   // given up, or the cell cannot have it: what it is then is undefined
};

// Gives the entry a place in the cell. False: there is none left.
template <class Actor>
[[nodiscard, gnu::always_inline]] inline bool add(Cell& cell, Entry made, Actor& actor) {
  for (Entry& entry : cell.entries) {
    if (!entry.none() && entry.same_doing(made)) return actor.merge(entry, made);
  }
  for (Entry& entry : cell.entries) {
    if (!entry.none()) continue;
    entry = made;
    return true;
  }
  return false;
}

// Bytes of which all have the same entries.
template <class ReaderRule, class Actor>
[[nodiscard, gnu::always_inline]] inline Effect read_alike(Cell& cell, ByteMask bytes, Actor& actor) {
  using findings::AccessKind;
  const StepId own = actor.step();
  Entry* readers[2] = {nullptr, nullptr};
  std::size_t count = 0;
  for (Entry& entry : cell.entries) {
    if ((entry.bytes() & bytes) == 0) continue;
    if (own != kNoStep && entry.step() == own) return Effect::none;
    if (!entry.writes()) {
      readers[count++] = &entry;
    } else if (actor.parallel(entry.step())) {
      if (!actor.race(AccessKind::write, entry.within(bytes))) return Effect::failed;
    }
  }
  const bool p1 = count > 0 && actor.parallel(readers[0]->step());
  const bool p2 = count > 1 && actor.parallel(readers[1]->step());
  Dropped dropped = Dropped::nobody;
  if (count == 2) {
    dropped = ReaderRule::choose(readers[0]->step(), p1, readers[1]->step(), p2, actor);
    if (dropped == Dropped::nobody) return Effect::none;
  } else if (count == 1 && !p1) {
    dropped = Dropped::first;
  }
  const Entry by = actor.entry();
  if (by.none()) return Effect::failed;
  if (dropped == Dropped::first || dropped == Dropped::both) *readers[0] = readers[0]->within(~bytes);
  if (dropped == Dropped::second || dropped == Dropped::both) *readers[1] = readers[1]->within(~bytes);
  return add(cell, Entry(by.step(), AccessKind::read, by.place(), bytes), actor) ? Effect::changed
                                                                                 : Effect::failed;
}

// Whether a read of bytes that all have the same entries is seen at once to change nothing: two readers of
// them stay. It may be said too seldom.
template <class ReaderRule, class Actor>
[[nodiscard, gnu::always_inline]] inline bool two_readers_stay(const Entries& entries, ByteMask bytes,
                                                               Actor& actor) {
  StepId readers[2];
  std::size_t count = 0;
  for (const Entry& entry : entries) {
    if ((entry.bytes() & bytes) == 0) continue;
    if ((entry.bytes() & bytes) != bytes || entry.step() == actor.step()) return false;
    if (entry.writes()) {
      if (actor.parallel(entry.step())) return false;
    } else {
      if (count == 2) return false;
      readers[count++] = entry.step();
    }
  }
  if (count != 2) return false;
  const bool p0 = actor.parallel(readers[0]);
  const bool p1 = actor.parallel(readers[1]);
  return ReaderRule::choose(readers[0], p0, readers[1], p1, actor) == Dropped::nobody;
}

template <class Actor>
[[nodiscard, gnu::always_inline]] inline Effect write_alike(Cell& cell, ByteMask bytes, Actor& actor) {
  using findings::AccessKind;
  const StepId own = actor.step();
  for (const Entry& entry : cell.entries) {
    if ((entry.bytes() & bytes) == 0) continue;
    // Readers since then, if any, may run in parallel with the step: they have told.
    if (own != kNoStep && entry.step() == own && entry.writes()) return Effect::none;
  }
  for (const Entry& entry : cell.entries) {
    if ((entry.bytes() & bytes) == 0 || !actor.parallel(entry.step())) continue;
    const AccessKind kind = entry.writes() ? AccessKind::write : AccessKind::read;
    if (!actor.race(kind, entry.within(bytes))) return Effect::failed;
  }
  const Entry by = actor.entry();
  if (by.none()) return Effect::failed;
  // What precedes this write is in parallel with nothing later that the write itself is not in parallel with.
  cell = cell.within(~bytes);
  return add(cell, Entry(by.step(), AccessKind::write, by.place(), bytes), actor) ? Effect::changed
                                                                                  : Effect::failed;
}

// Any bytes of the word.
template <findings::AccessKind kKind, class ReaderRule, class Actor>
[[nodiscard, gnu::always_inline]] inline Effect access(Cell& cell, ByteMask bytes, Actor& actor) {
  Effect effect = Effect::none;
  while (bytes != 0) {
    const ByteMask alike = cell.like_lowest_of(bytes);
    const Effect part = kKind == findings::AccessKind::read ? read_alike<ReaderRule>(cell, alike, actor)
                                                            : write_alike(cell, alike, actor);
    if (part == Effect::failed) return part;
    if (part == Effect::changed) effect = part;
    bytes &= ~alike;
  }
  return effect;
}

}  // namespace anyorder::detect::shared_history
