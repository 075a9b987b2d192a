// What AccessHistory does where an access is not simple: word by word, whole or in parts, with all races.
// Included where a detector instantiates its history.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "detect/shared_history/access_history.hpp"
#include "support/check.hpp"

namespace anyorder::detect::shared_history {

// Records every race, and goes on.
template <Order O, class ReaderRule>
class AccessHistory<O, ReaderRule>::ThoroughActor : public Actor {
  using AccessKind = findings::AccessKind;
  using Actor::order_;
  using Actor::task_;
  using Actor::thread_;

 public:
  ThoroughActor(O& order, SharedByteSites& sites, Task task, Thread& thread, PlaceId place) noexcept
      : Actor(order, task, thread), sites_(sites), place_(place) {}

  // The word that is being accessed.
  void begin_word(std::uintptr_t word) noexcept {
    word_ = word;
    found_before_ = thread_.conflicts.size();
  }
  // What was found in it does not count: the access is made again.
  void again() { thread_.conflicts.resize(found_before_); }

  [[nodiscard]] Entry entry() {
    return {order_.keep_step_of(task_, thread_.stock), AccessKind::read, place_, 0};
  }
  bool merge(Entry& to, Entry made) { return sites_.merge(to, made, thread_.quick.merges); }
  bool race(AccessKind kind, Entry earlier) {
    for (ByteMask rest = earlier.bytes(); rest != 0;) {
      const auto first = static_cast<unsigned>(std::countr_zero(rest));
      const PlaceId place = sites_.at(earlier.place(), first);
      unsigned count = 1;
      while ((rest >> (first + count) & 1U) != 0 && sites_.at(earlier.place(), first + count) == place)
        ++count;
      thread_.conflicts.push_back({word_ + first, word_ + first + count, kind, earlier.step(), place});
      rest &= ~mask_of(first, count);
    }
    return true;
  }
  [[nodiscard]] PlaceId place() const noexcept { return place_; }
  [[nodiscard]] bool found_in_word() const noexcept { return thread_.conflicts.size() != found_before_; }

 private:
  SharedByteSites& sites_;
  PlaceId place_;
  std::uintptr_t word_ = 0;
  std::size_t found_before_ = 0;
};

template <Order O, class ReaderRule>
std::span<const Conflict> AccessHistory<O, ReaderRule>::read(Task task, std::uintptr_t address,
                                                             std::size_t bytes, PlaceId place,
                                                             Thread& thread) {
  access_words<findings::AccessKind::read>(task, address, bytes, place, thread);
  return thread.conflicts;
}

template <Order O, class ReaderRule>
std::span<const Conflict> AccessHistory<O, ReaderRule>::write(Task task, std::uintptr_t address,
                                                              std::size_t bytes, PlaceId place,
                                                              Thread& thread) {
  access_words<findings::AccessKind::write>(task, address, bytes, place, thread);
  return thread.conflicts;
}

template <Order O, class ReaderRule>
template <findings::AccessKind kKind>
void AccessHistory<O, ReaderRule>::access_words(Task task, std::uintptr_t address, std::size_t bytes,
                                                PlaceId place, Thread& thread) {
  thread.conflicts.clear();
  locate(task, thread);
  ThoroughActor actor(order_, sites_, task, thread, place);
  const auto place_of = [place] { return place; };
  const std::uintptr_t end = address + bytes;
  // What is simple after one that was not mostly does what that one did.
  for (std::uintptr_t at = address; (at += try_range<kKind>(task, at, end - at, place_of, thread)) < end;) {
    const std::uintptr_t word = at - at % Memory::kWordBytes;
    const auto from = static_cast<unsigned>(at - word);
    const auto to = static_cast<unsigned>(std::min<std::uintptr_t>(end - word, Memory::kWordBytes));
    actor.begin_word(word);
    shadow_.note(word);
    if (!access_whole<kKind>(shadow_.place(word), mask_of(from, to - from), actor)) {
      access_locked<kKind>(word, from, to, actor);
    }
    at = word + to;
  }
}

// False: the word is split, or has to be, or others are at it.
template <Order O, class ReaderRule>
template <findings::AccessKind kKind>
bool AccessHistory<O, ReaderRule>::access_whole(Cell& place, ByteMask mask, ThoroughActor& actor) {
  constexpr int kTries = 4;
  for (int i = 0; i != kTries; ++i) {
    typename Lock::Snapshot seen;
    if (!Lock::look(place, seen)) return false;
    Cell cell = seen.cell;
    const Effect effect = shared_history::access<kKind, ReaderRule>(cell, mask, actor);
    // The next access that does the same to such a cell need not be thorough, unless it races.
    if (effect != Effect::failed && actor.place() != kNoPlace && !actor.found_in_word()) {
      remember<kKind>(actor, place, actor.place(), mask, effect, seen.cell.entries, cell.entries);
    }
    if (effect == Effect::none) return true;
    if (effect == Effect::changed && Lock::replace(place, seen.version, cell)) return true;
    actor.again();
    if (effect == Effect::failed) return false;
  }
  return false;
}

template <Order O, class ReaderRule>
template <findings::AccessKind kKind>
void AccessHistory<O, ReaderRule>::access_locked(std::uintptr_t word, unsigned from, unsigned to,
                                                 ThoroughActor& actor) {
  shadow_.with_word(word, [&](typename Memory::Word& split) {
    Effect effect = Effect::failed;
    if (!split.is_split()) {
      split.visit(word, 0, Memory::kWordBytes, [&](Cell& cell, std::uintptr_t, std::size_t) {
        Cell after = cell;
        effect = shared_history::access<kKind, ReaderRule>(after, mask_of(from, to - from), actor);
        if (effect == Effect::changed) cell = after;
      });
    }
    if (effect != Effect::failed) return;
    actor.again();
    access_parts<kKind>(split, word, from, to, actor);
    join(split, word, actor);
  });
}

// Part by part, each of bytes with the same entries: there a cell can have whatever comes out.
template <Order O, class ReaderRule>
template <findings::AccessKind kKind>
void AccessHistory<O, ReaderRule>::access_parts(typename Memory::Word& split, std::uintptr_t word,
                                                unsigned from, unsigned to, ThoroughActor& actor) {
  struct Part {
    unsigned from;
    unsigned to;
  };
  std::array<Part, Memory::kWordBytes> parts;
  std::size_t count = 0;
  split.visit(word, from, to, [&](Cell& cell, std::uintptr_t at, std::size_t bytes) {
    ByteMask rest = mask_at(at, static_cast<unsigned>(bytes));
    while (rest != 0) {
      const auto first = static_cast<unsigned>(std::countr_zero(rest));
      const auto length = static_cast<unsigned>(std::countr_one(cell.like_lowest_of(rest) >> first));
      parts[count++] = {first, first + length};
      rest &= ~mask_of(first, length);
    }
  });
  for (std::size_t i = 0; i != count; ++i) {
    split.visit(word, parts[i].from, parts[i].to, [&](Cell& cell, std::uintptr_t at, std::size_t bytes) {
      const ByteMask mask = mask_at(at, static_cast<unsigned>(bytes));
      Cell after = cell.within(mask);
      const Effect effect = shared_history::access<kKind, ReaderRule>(after, mask, actor);
      ANYORDER_CHECK(effect != Effect::failed, "a cell of bytes with one history can have another");
      if (effect == Effect::changed) cell = after;
    });
  }
}

// One cell for the word again, if that can have what its pieces have.
template <Order O, class ReaderRule>
void AccessHistory<O, ReaderRule>::join(typename Memory::Word& split, std::uintptr_t word,
                                        ThoroughActor& actor) {
  if (!split.is_split()) return;
  Cell whole{};
  bool fits = true;
  split.visit(word, 0, Memory::kWordBytes, [&](Cell& cell, std::uintptr_t at, std::size_t bytes) {
    for (const Entry& entry : cell.within(mask_at(at, static_cast<unsigned>(bytes))).entries) {
      fits = fits && (entry.none() || add(whole, entry, actor));
    }
  });
  if (!fits) return;
  split.visit(word, 0, Memory::kWordBytes, [&](Cell& cell, std::uintptr_t, std::size_t) { cell = whole; });
}

}  // namespace anyorder::detect::shared_history
