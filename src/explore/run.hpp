// One run as the search sees it: tasks and what they know of each other, the window of accesses that may
// still race, and the digest of the state whenever all tasks stand.
//
// Contract: for one thread. The events of a run come in its order; tasks and finishes are named by the
// numbers that created() and finish_begun() gave out. README.md in this folder has the rules and why they
// suffice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/bit_set.hpp"
#include "explore/digest.hpp"
#include "explore/footprint.hpp"
#include "explore/touched_memory.hpp"
#include "explore/window.hpp"

namespace anyorder::exploring {

using FinishNumber = std::uint32_t;

struct RaceSeen {
  Word word = 0;
  ByteMask bytes = 0;
  SeenAccess first;
  SeenAccess second;
};

// A task that is alive when all stand.
struct LiveTask {
  TaskNumber number;
  Lineage lineage;
  std::uint32_t sections;            // that it has entered
  std::uint32_t turn = 0;            // the first of its indexes among those that stand
  std::uint32_t turns = 0;           // how many it has, one after the other; more than one if it may choose
  bool chooses = false;              // it waits for any one of several tasks; else it needs the end of all
  std::vector<std::size_t> waits{};  // the indexes of these, as far as they live
};

// What the digest of a state leaves out. All false in a search; tests show what each part is for.
struct Omitted {
  bool section_entries = false;  // from positions
  bool window = false;
  bool before_section = false;  // from the footprint of a section: what the window forgets at its entry
  bool choices = false;         // from a footprint: that a task more or less can be awaited
};

class Run {
 public:
  explicit Run(Omitted omitted = {}) : omitted_(omitted) { begin(); }

  // Forgets everything; the first task is alive, in a finish of its own.
  void begin();

  // A future: somebody may get it.
  TaskNumber created(TaskNumber parent_number, bool future);
  void ended(TaskNumber number);
  FinishNumber finish_begun(TaskNumber owner_number);
  void finish_ended(TaskNumber owner_number);
  void get_begun(TaskNumber getter, TaskNumber target);
  void get_ended(TaskNumber getter_number);
  // It was posted into that region, of which somebody may await one task: its end is another choice.
  void posted(TaskNumber number, std::uintptr_t region);
  // It waits for any one of these, which were posted into the region.
  void choice_begun(TaskNumber chooser_number, std::vector<TaskNumber> among);
  // It goes on with one of them, which it gets next.
  void choice_made(TaskNumber chooser_number, std::uintptr_t region);
  // It ends by an exception, or the body of its innermost finish does.
  void failed(TaskNumber number, bool in_body);
  // Which of several exceptions the end of a finish throws has depended on more than the order of sections:
  // two tasks failed in parallel, or one got a future that failed while its finish ended.
  [[nodiscard]] bool exceptions_race() const { return exceptions_race_; }
  // Some task has.
  [[nodiscard]] bool any_choice_made() const { return any_choice_made_; }
  // It gives up one of the references that something counts; it has found that there is no other. What others
  // did before they gave theirs up comes before what it does then, on every schedule on which it is the last.
  void reference_dropped(TaskNumber number, std::uintptr_t counter);
  void last_reference_found(TaskNumber number, std::uintptr_t counter);
  void section_entered(TaskNumber number, std::span<const void* const> objects);
  void section_left(TaskNumber number);

  // A read gives what the word held. What a task writes to its own stack follows from what it has seen: it is
  // no part of the state, and tells the task nothing. (Copies of structures also read what nobody has
  // written.) But what others write there is, and does.
  std::optional<RaceSeen> read(TaskNumber number, Word word, ByteMask bytes, std::uint64_t value,
                               std::uintptr_t site, bool on_own_stack = false);
  std::optional<RaceSeen> write(TaskNumber number, Word word, ByteMask bytes, std::uintptr_t site,
                                bool on_own_stack = false);
  void forget(Word first, Word last) { memory_.forget_all(first, last); }
  // Many ranges that have no word in common, sorted.
  void forget(std::span<const std::pair<Word, Word>> ranges) { memory_.forget_all(ranges); }

  // --- When all tasks stand -----------------------------------------------------------------------------

  // What may be ignored from now on, is, and what tasks have written is looked up: before others change it,
  // such as the library, whose own words in the record of a task are no part of a state. load(word): the
  // contents of memory. To be called each time; state() does it, too.
  template <class Load>
  void settle(Load load) {
    tidy();
    static_cast<void>(memory_.digest(load));
  }
  template <class Load>
  Digest state(Load load) {
    tidy();
    return folded(memory_.digest(load), structure());
  }
  // standing[i]: the tasks that are in front of a section, or can choose whom they await: once for each that
  // they can, one after the other.
  [[nodiscard]] std::vector<LiveTask> live_tasks(std::span<const TaskNumber> standing) const;
  // What was done since the last call, and what the window forgot since by order of a section.
  [[nodiscard]] Footprint take_footprint();
  // What all tasks have touched in this run.
  void teach(Learnt& learnt) const;

  // And is outside every finish.
  [[nodiscard]] bool only_first_lives() const {
    return live_.size() == 1 && live_.front() == 0 && tasks_.front().open.empty();
  }
  [[nodiscard]] Lineage lineage_of(TaskNumber task) const { return tasks_[task].lineage; }

 private:
  static constexpr TaskNumber kNoTask = UINT32_MAX;

  struct Task {
    Lineage lineage = 0;
    TaskNumber parent = kNoTask;
    FinishNumber finish = 0;         // its IEF
    std::vector<FinishNumber> open;  // finishes that it owns, innermost last
    Digest position;                 // all that it has seen
    std::uint32_t children = 0;
    std::uint32_t finishes = 0;
    std::uint32_t sections = 0;
    std::uint32_t parents_sections = 0;  // of its parent, when it was created
    TaskNumber gets = kNoTask;
    std::vector<TaskNumber> among;  // it waits for any one of these
    Word region = 0;                // stands for the choices among the tasks that it was posted beside
    bool ended = false;
    bool future = false;
    bool failed = false;
    bool got = false;       // by anybody
    StepId step = kNoStep;  // for its next access; none: to be made
    BitSet knows;
    Section section;
    Touches touches;
  };
  struct Finish {
    TaskNumber owner = kNoTask;
    Digest name;
    Word exceptions = 0;  // stands for those that its end may throw: what fails writes it
    bool open = false;
    BitSet knows;
    std::vector<TaskNumber> failed;  // in the order in which they did
  };

  std::optional<RaceSeen> access(Task& task, Word word, ByteMask bytes, bool write, std::uintptr_t site);
  void touch_exception(Task& task, Word word, bool write);
  // In conflict with all that does the same, but no access that could race.
  void touch_choices(Task& task, Word word);
  TaskNumber new_task(TaskNumber parent, FinishNumber finish);
  void remove(const BitSet& steps);
  void remove(StepId step);
  void tidy();
  [[nodiscard]] Digest structure();
  template <class Each>
  void for_each_holder(Each each);
  void find_anchors();
  // What decides which exception the end of a finish throws.
  [[nodiscard]] Digest failures_of(const Finish& finish) const;

  Omitted omitted_;
  bool exceptions_race_ = false;
  bool any_choice_made_ = false;
  std::vector<Task> tasks_;  // the first count_ are in use; the others keep their memory
  std::size_t count_ = 0;
  std::vector<TaskNumber> live_;
  std::vector<TaskNumber> ended_knowing_;  // ended tasks that somebody may still get, and that know a step
  std::vector<Finish> finishes_;
  std::unordered_map<std::uintptr_t, BitSet> dropped_;  // by counter: what those know who gave up a reference
  Window window_;
  TouchedMemory memory_;
  Footprint footprint_;
  std::vector<StepId> overtaken_;
  std::vector<BitSet> anchors_;  // by step: the holders that know it, numbered by for_each_holder
  std::vector<Digest> holder_names_;
  std::vector<std::pair<std::uint64_t, StepId>> by_knowers_;  // by the hash of who knows them
};

}  // namespace anyorder::exploring
