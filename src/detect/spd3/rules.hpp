// What an access does to a cell: the write check and the read check of SPD3 (Algorithms 1 and 2), corrected
// as README.md says, for all bytes of the access at once. The quick and the thorough way both go through
// here.
//
// Contract: pure: a cell outside of the shadow, and an Actor that says
//   StepId step()                     the number of the step that makes the access; kNoStep if it has none
//   yet bool parallel(StepId other)       DMHP(other, the step); false for the step itself bool above(StepId
//   r, StepId q)    LCA(r, the step) is above LCA(r, q) Entry entry()                     the step, at its
//   place, no bytes; nobody if that cannot be said here bool race(AccessKind, Entry)      a conflicting
//   access that may run in parallel, with the bytes concerned;
//                                     false: give up
#pragma once

#include <cstdint>

#include "detect/spd3/cell.hpp"
#include "findings/race.hpp"

namespace anyorder::detect::spd3 {

enum class Effect : std::uint8_t {
  none,     // there is nothing to remember
  changed,  // the cell has it
  failed,   // given up, or the cell cannot have it: what it is then is undefined
};

// Bytes of which all have the same writer, or none, and the same readers.
template <class Actor>
[[nodiscard, gnu::always_inline]] inline Effect read_alike(Cell& cell, ByteMask bytes, Actor& actor) {
  using findings::AccessKind;
  if (const StepId own = actor.step(); own != kNoStep) {
    if (cell.writer.covers(own, bytes) || cell.readers[0].covers(own, bytes) ||
        cell.readers[1].covers(own, bytes)) {
      return Effect::none;
    }
  }
  if (const Entry writer = cell.writer.within(bytes); !writer.none() && actor.parallel(writer.step())) {
    if (!actor.race(AccessKind::write, writer)) return Effect::failed;
  }
  auto& [r1, r2] = cell.readers;
  const bool is_r1 = (r1.bytes() & bytes) != 0;
  const bool is_r2 = (r2.bytes() & bytes) != 0;
  const bool p1 = is_r1 && actor.parallel(r1.step());
  const bool p2 = is_r2 && actor.parallel(r2.step());
  bool drop_r1 = is_r1;
  bool drop_r2 = is_r2;
  if (p1 || p2) {
    if (is_r1 && is_r2) {
      if (!(p1 && p2 && actor.above(r1.step(), r2.step()))) return Effect::none;
      // The new reader lies outside of the subtree of both, whichever it replaces.
      drop_r2 = false;
    } else {
      drop_r1 = drop_r2 = false;
    }
  }
  Entry made = actor.entry();
  if (made.none()) return Effect::failed;
  made = Entry(made.step(), made.place(), bytes);
  const Entry left1 = drop_r1 ? r1.within(~bytes) : r1;
  const Entry left2 = drop_r2 ? r2.within(~bytes) : r2;
  // Where the step is already, then where there is room.
  const bool into_r2 = !left2.none() ? left2.same_as(made) : !left1.none() && !left1.same_as(made);
  r1 = left1;
  r2 = left2;
  return (into_r2 ? r2 : r1).merge(made) ? Effect::changed : Effect::failed;
}

template <class Actor>
[[nodiscard, gnu::always_inline]] inline Effect write_alike(Cell& cell, ByteMask bytes, Actor& actor) {
  using findings::AccessKind;
  // Readers since then, if any, may run in parallel with the step: they have told.
  if (const StepId own = actor.step(); own != kNoStep && cell.writer.covers(own, bytes)) return Effect::none;
  if (const Entry writer = cell.writer.within(bytes); !writer.none() && actor.parallel(writer.step())) {
    if (!actor.race(AccessKind::write, writer)) return Effect::failed;
  }
  for (const Entry& each : cell.readers) {
    if (const Entry reader = each.within(bytes); !reader.none() && actor.parallel(reader.step())) {
      if (!actor.race(AccessKind::read, reader)) return Effect::failed;
    }
  }
  const Entry made = actor.entry();
  if (made.none()) return Effect::failed;
  cell.writer = cell.writer.within(~bytes);
  // What precedes this write is in parallel with nothing later that the write itself is not in parallel with.
  cell.readers[0] = cell.readers[0].within(~bytes);
  cell.readers[1] = cell.readers[1].within(~bytes);
  return cell.writer.merge(Entry(made.step(), made.place(), bytes)) ? Effect::changed : Effect::failed;
}

// Any bytes of the word.
template <findings::AccessKind kKind, class Actor>
[[nodiscard, gnu::always_inline]] inline Effect access(Cell& cell, ByteMask bytes, Actor& actor) {
  Effect effect = Effect::none;
  while (bytes != 0) {
    const ByteMask alike = cell.like_lowest_of(bytes);
    const Effect part = kKind == findings::AccessKind::read ? read_alike(cell, alike, actor)
                                                            : write_alike(cell, alike, actor);
    if (part == Effect::failed) return part;
    if (part == Effect::changed) effect = part;
    bytes &= ~alike;
  }
  return effect;
}

}  // namespace anyorder::detect::spd3
