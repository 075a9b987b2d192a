// A model under the search: what is not isolated runs at once, and the guide chooses sections.
#pragma once

#include <algorithm>
#include <vector>

#include "explore/search.hpp"
#include "model.hpp"

namespace anyorder::exploring::model {

class ModelledProgram final : public Program {
 public:
  explicit ModelledProgram(const Block& program) : program_(program), machine_(program) {}

  void run(Guide& guide) override {
    machine_ = Machine(program_);
    for (;;) {
      for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t i = 0; i != machine_.tasks.size(); ++i) {
          while (runs(i)) {
            step(guide, i);
            if (guide.done()) return;
            moved = true;
          }
        }
      }
      if (machine_.all_ended()) return;
      std::vector<TaskNumber> standing;
      for (std::size_t i = 0; i != machine_.tasks.size(); ++i) {
        if (machine_.front(i).kind == Front::enter) standing.push_back(static_cast<TaskNumber>(i));
      }
      const auto next = guide.next(standing);
      if (!next) return;
      const std::size_t chosen = standing[*next];
      do {
        step(guide, chosen);
        if (guide.done()) return;
      } while (machine_.tasks[chosen].section.entered);
    }
  }
  [[nodiscard]] std::uint64_t load(Word word) const override { return machine_.memory[word]; }

 private:
  [[nodiscard]] bool runs(std::size_t i) const {
    const auto kind = machine_.front(i).kind;
    return kind == Front::local || kind == Front::access;
  }

  // The statement, with its events.
  void step(Guide& guide, std::size_t i) {
    Run& run = guide.run();
    const auto task = static_cast<TaskNumber>(i);
    if (machine_.at_end_of_block(i)) {
      const auto kind = machine_.tasks[i].frames.back().kind;
      machine_.step(i);
      if (kind == Frame::section) run.section_left(task);
      if (kind == Frame::finish) run.finish_ended(task);
      if (machine_.tasks[i].ended) run.ended(task);
      tell_of_gets(run);
      return;
    }
    const Statement& s = machine_.statement(i);
    switch (s.op) {
      case Op::read:
      case Op::take:
        if (const auto race = run.read(task, s.variable, 0xff, machine_.memory[s.variable], 0))
          guide.found(*race);
        break;
      case Op::write:
      case Op::put:
        if (const auto race = run.write(task, s.variable, 0xff, 0)) guide.found(*race);
        break;
      case Op::get:
        if (machine_.tasks[i].handle != 0) {
          const auto target = static_cast<TaskNumber>(machine_.number_of(machine_.tasks[i].handle));
          run.get_begun(task, target);
          run.get_ended(task);
          machine_.tasks[i].in_get = false;
        }
        break;
      case Op::finish:
        run.finish_begun(task);
        break;
      case Op::isolated: {
        std::vector<const void*> objects;
        for (const std::uintptr_t object : section_of(s.number).objects) {
          objects.push_back(reinterpret_cast<const void*>(object));
        }
        run.section_entered(task, objects);
        break;
      }
      case Op::async:
      case Op::future:
        run.created(task, s.op == Op::future);
        break;
      case Op::if_equal:
        break;
    }
    machine_.step(i);
    tell_of_gets(run);
  }

  // Tasks that have come to a get that they have to wait in.
  void tell_of_gets(Run& run) {
    for (std::size_t i = 0; i != machine_.tasks.size(); ++i) {
      Task& task = machine_.tasks[i];
      if (task.ended || task.in_get || machine_.at_end_of_block(i)) continue;
      if (machine_.statement(i).op != Op::get || machine_.front(i).kind != Front::blocked) continue;
      task.in_get = true;
      run.get_begun(static_cast<TaskNumber>(i), static_cast<TaskNumber>(machine_.number_of(task.handle)));
    }
  }

  const Block& program_;
  Machine machine_;
};

}  // namespace anyorder::exploring::model
