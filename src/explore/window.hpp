// The accesses that what comes may still race with, grouped by steps.
//
// A step is what one task does between two operations that tell others of it: to create a task, to join one,
// to enter a section, to end. Who knows one access of a step knows all. A step is plain, or of a section that
// excludes only sections on some objects; accesses of sections that exclude all others are not kept.
//
// Contract: for one thread. The numbers of removed steps are used again: their owner takes them out of all
// sets first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "explore/bit_set.hpp"
#include "explore/footprint.hpp"

namespace anyorder::exploring {

using StepId = std::uint32_t;
inline constexpr StepId kNoStep = UINT32_MAX;
using TaskNumber = std::uint32_t;  // in the order of creation in a run; the first task is 0

// What a task is in: nothing, or an isolated section. No objects: it excludes every other section.
struct Section {
  bool entered = false;
  std::vector<std::uintptr_t> objects;  // sorted

  [[nodiscard]] bool excludes(const Section& other) const {
    if (!entered || !other.entered) return false;
    if (objects.empty() || other.objects.empty()) return true;
    return std::any_of(objects.begin(), objects.end(), [&](std::uintptr_t object) {
      return std::binary_search(other.objects.begin(), other.objects.end(), object);
    });
  }
};

struct SeenAccess {
  TaskNumber task = 0;
  bool write = false;
  std::uintptr_t site = 0;
};

class Window {
 public:
  void clear();

  StepId new_step(TaskNumber task, const Section& section);
  void add(StepId step, Word word, ByteMask bytes, bool write, std::uintptr_t site);
  void remove(StepId step);

  // An access in conflict with this one, by a step that is not known and that excludes nothing of it. If it
  // is in a section, the steps of other sections that it comes after for good are added to `overtaken`.
  [[nodiscard]] std::optional<SeenAccess> racing_with(Word word, ByteMask bytes, bool write,
                                                      const BitSet& known, const Section& section,
                                                      std::vector<StepId>& overtaken) const;

  // The accesses of a step become those of another, which is known to the same.
  void merge(StepId from, StepId into);
  // Drops accesses that another one stands for: at the same bytes, at least as strong, and known to fewer.
  // anchors[step]: who knows it.
  void drop_dominated(const std::vector<BitSet>& anchors);

  [[nodiscard]] const BitSet& steps() const { return in_use_; }
  [[nodiscard]] const Section& section_of(StepId step) const { return steps_[step].section; }
  // Does not depend on the order in which accesses were made.
  [[nodiscard]] Digest digest_of(StepId step) const;
  void add_to(Footprint& footprint, StepId step) const;

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = 0;
  struct Access {
    Word word;
    BytesTouched bytes;
    StepId step;
    std::uintptr_t read_site;
    std::uintptr_t write_site;
    Index next_at_word;
    Index next_of_step;
  };
  struct Step {
    TaskNumber task = 0;
    Section section;
    Index first = kNone;
  };
  Access& at(Index index) { return accesses_[index - 1]; }
  [[nodiscard]] const Access& at(Index index) const { return accesses_[index - 1]; }
  Index new_access();
  void unlink_from_word(Index index);

  std::vector<Step> steps_;
  std::vector<StepId> free_steps_;
  BitSet in_use_;
  WordMap<Index> at_word_;  // the first of a list
  std::vector<Access> accesses_;
  Index free_ = kNone;  // linked by next_of_step
};

}  // namespace anyorder::exploring
