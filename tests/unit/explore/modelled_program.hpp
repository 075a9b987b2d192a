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
      std::vector<std::uint64_t> choices;  // whom it awaits then, if it chooses
      for (std::size_t i = 0; i != machine_.tasks.size(); ++i) {
        const Front::Kind kind = machine_.front(i).kind;
        if (kind != Front::enter && kind != Front::choose) continue;
        for (const std::uint64_t choice :
             kind == Front::choose ? machine_.candidates(i) : std::vector<std::uint64_t>{0}) {
          standing.push_back(static_cast<TaskNumber>(i));
          choices.push_back(choice);
        }
      }
      const auto next = guide.next(standing);
      if (!next) return;
      const std::size_t chosen = standing[*next];
      do {
        step(guide, chosen, choices[*next]);
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
  void step(Guide& guide, std::size_t i, std::uint64_t choice = 0) {
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
      case Op::post:
        run.posted(run.created(task, true), machine_.tasks[i].region);
        break;
      case Op::await:
      case Op::await_one: {
        const Task& waiter = machine_.tasks[i];
        if (waiter.posted.empty()) break;
        if (choice != 0) run.choice_made(task, waiter.region);
        const std::uint64_t joined = choice != 0 ? choice : waiter.posted.front();
        run.get_begun(task, static_cast<TaskNumber>(machine_.number_of(joined)));
        run.get_ended(task);
        machine_.tasks[i].in_get = false;
        break;
      }
      case Op::if_equal:
        break;
    }
    machine_.step(i, choice);
    tell_of_gets(run);
  }

  // Tasks that have come to a get that they have to wait in.
  void tell_of_gets(Run& run) {
    for (std::size_t i = 0; i != machine_.tasks.size(); ++i) {
      Task& task = machine_.tasks[i];
      if (task.ended || task.in_get || machine_.at_end_of_block(i)) continue;
      const auto number = static_cast<TaskNumber>(i);
      const auto of = [&](std::uint64_t lineage) {
        return static_cast<TaskNumber>(machine_.number_of(lineage));
      };
      const Op op = machine_.statement(i).op;
      if (machine_.chooses(i)) {
        std::vector<TaskNumber> among;
        for (const std::uint64_t posted : task.posted) among.push_back(of(posted));
        run.choice_begun(number, among);
      } else if (op != Op::get && op != Op::await && op != Op::await_one) {
        continue;
      } else if (machine_.front(i).kind != Front::blocked) {
        continue;
      } else {
        run.get_begun(number, of(op == Op::get ? task.handle : task.posted.front()));
      }
      task.in_get = true;
    }
  }

  const Block& program_;
  Machine machine_;
};

}  // namespace anyorder::exploring::model
