// All interleavings of a model's statements, by the definition: a race is a reachable state in which two
// tasks stand in front of conflicting accesses, not both in sections that exclude each other.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_set>
#include <vector>

#include "model.hpp"

namespace anyorder::exploring::model {

struct Truth {
  bool race = false;
  bool deadlock = false;
  std::size_t states = 0;
};

class BruteForce {
 public:
  // Nothing if there are more states than that.
  static std::optional<Truth> of(const Block& program, std::size_t most_states) {
    BruteForce search(most_states);
    search.visit(Machine(program));
    while (!search.to_do_.empty()) {
      const Machine machine = std::move(search.to_do_.back());
      search.to_do_.pop_back();
      search.expand(machine);
      if (search.seen_.size() > most_states) return std::nullopt;
    }
    search.truth_.states = search.seen_.size();
    return search.truth_;
  }

 private:
  explicit BruteForce(std::size_t most_states) { seen_.reserve(most_states / 16); }

  // What touches no variable and no section commutes with all that others do.
  void visit(Machine machine) {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t i = 0; i != machine.tasks.size(); ++i) {
        while (machine.front(i).kind == Front::local) {
          machine.step(i);
          moved = true;
        }
      }
    }
    if (seen_.insert(digest(machine)).second) to_do_.push_back(std::move(machine));
  }

  void expand(const Machine& machine) {
    std::vector<Front> fronts;
    for (std::size_t i = 0; i != machine.tasks.size(); ++i) fronts.push_back(machine.front(i));
    for (std::size_t i = 0; i != fronts.size(); ++i) {
      for (std::size_t j = i + 1; j != fronts.size(); ++j) {
        if (fronts[i].kind != Front::access || fronts[j].kind != Front::access) continue;
        if (fronts[i].what.variable != fronts[j].what.variable) continue;
        if (!fronts[i].what.write && !fronts[j].what.write) continue;
        if (!machine.tasks[i].section.excludes(machine.tasks[j].section)) truth_.race = true;
      }
    }
    bool moved = false;
    for (std::size_t i = 0; i != fronts.size(); ++i) {
      if (fronts[i].kind == Front::blocked || fronts[i].kind == Front::ended) continue;
      if (fronts[i].kind == Front::enter) {
        const Section wanted = section_of(machine.statement(i).number);
        if (std::any_of(machine.tasks.begin(), machine.tasks.end(),
                        [&](const Task& other) { return wanted.excludes(other.section); })) {
          moved = true;  // it waits for a section, which always ends
          continue;
        }
      }
      moved = true;
      const bool chooses = fronts[i].kind == Front::choose;
      for (const std::uint64_t choice : chooses ? machine.candidates(i) : std::vector<std::uint64_t>{0}) {
        Machine next = machine;
        next.step(i, choice);
        visit(std::move(next));
      }
    }
    if (!moved && !machine.all_ended()) truth_.deadlock = true;
  }

  static Digest digest(const Machine& machine) {
    Digest sum;
    for (const Task& task : machine.tasks) {
      Digest one =
          folded(folded(folded(folded(Digest{}, task.lineage), task.reg), task.handle), task.ended ? 1 : 0);
      for (const Frame& frame : task.frames) {
        one = folded(folded(one, reinterpret_cast<std::uintptr_t>(frame.block)), frame.next);
      }
      for (const std::uint64_t posted : task.posted) one = folded(one, posted);
      sum += one;
    }
    for (const std::uint64_t value : machine.memory) sum = folded(sum, value);
    return sum;
  }

  Truth truth_;
  std::unordered_set<Digest, DigestHash> seen_;
  std::vector<Machine> to_do_;
};

}  // namespace anyorder::exploring::model
