// One run: follows its errand's choices, then finds new states.
//
// Contract: for one thread; at most one guide of a run at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "explore/errand.hpp"

namespace anyorder::exploring {

class Guide;

class Program {
 public:
  virtual ~Program() = default;
  // Runs it once. All events go to guide.run(); when all tasks stand, guide.next() says how to go on.
  virtual void run(Guide& guide) = 0;
  // What the word holds now.
  [[nodiscard]] virtual std::uint64_t load(Word word) const = 0;
};

class KnownStates {
 public:
  virtual ~KnownStates() = default;
  [[nodiscard]] virtual bool contains(const Digest& state) const = 0;
};

class Guide {
 public:
  // Begins the run. most_sections: what it may have.
  Guide(Run& run, const Program& program, Errand errand, const KnownStates& known,
        std::uint64_t most_sections);

  [[nodiscard]] Run& run() { return run_; }
  // standing: the tasks in front of a section; none: those that live wait for each other. The index of the
  // one that goes on. Nothing: no more is to be told of this run, which may end in any way.
  [[nodiscard]] std::optional<std::size_t> next(std::span<const TaskNumber> standing);
  void found(const RaceSeen& race);
  // Nothing that follows is of interest.
  [[nodiscard]] bool done() const { return done_; }
  // The program ends here.
  void end_early();
  // Once it is done, or the program has ended.
  [[nodiscard]] Trail take_trail();

 private:
  std::optional<std::size_t> end(Ending ending) {
    trail_.ending = ending;
    done_ = true;
    return std::nullopt;
  }
  // The footprint of the choice that was made last is complete.
  void complete_edge();

  Run& run_;
  const Program& program_;
  Errand errand_;
  const KnownStates& known_;
  std::uint64_t most_sections_;
  bool records_ = false;  // the choice that was made last has a footprint to be kept
  bool done_ = false;
  Trail trail_;
};

}  // namespace anyorder::exploring
