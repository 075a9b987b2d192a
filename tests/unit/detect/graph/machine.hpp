// Runs a Program one instruction of one task at a time, in any order that the waits and exclusions allow. It
// knows nothing of graphs: a race is a state in which two tasks stand in front of conflicting accesses.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../program.hpp"

namespace anyorder::detect::graph {

enum class Action : std::uint8_t { read, write, create, open, close, get, enter, leave };

struct Instruction {
  Action action;
  std::size_t number;  // a byte, a task, a finish or a section
};

struct MachineSection {
  std::size_t task;
  std::size_t enter;  // instructions of that task
  std::size_t leave;
  int object;

  [[nodiscard]] bool excludes(const MachineSection& other) const {
    return object == 0 || other.object == 0 || object == other.object;
  }
};

// Any: sections come in any order. Serial: those that exclude each other come as the serial run has them.
enum class SectionOrder : std::uint8_t { any, serial };

class Machine {
 public:
  // The next instruction of each task; kNotCreated before its creation.
  using State = std::basic_string<std::uint8_t>;
  static constexpr std::uint8_t kNotCreated = 255;

  explicit Machine(const Program& program) {
    add_task(false, 0);
    finishes_.emplace_back();
    compile(program, 0, 0);
  }

  [[nodiscard]] State start() const {
    State state(tasks_.size(), kNotCreated);
    state[0] = 0;
    return state;
  }
  [[nodiscard]] bool has_ended(const State& state, std::size_t task) const {
    return state[task] != kNotCreated && state[task] == tasks_[task].code.size();
  }
  [[nodiscard]] const Instruction* next(const State& state, std::size_t task) const {
    if (state[task] == kNotCreated || has_ended(state, task)) return nullptr;
    return &tasks_[task].code[state[task]];
  }
  [[nodiscard]] bool can_move(const State& state, std::size_t task, SectionOrder order) const {
    const Instruction* instruction = next(state, task);
    if (instruction == nullptr) return false;
    switch (instruction->action) {
      case Action::get:
        return has_ended(state, instruction->number);
      case Action::close:
        for (const std::size_t joined : finishes_[instruction->number]) {
          if (!has_ended(state, joined)) return false;
        }
        return true;
      case Action::enter:
        return may_enter(state, instruction->number, order);
      default:
        return true;
    }
  }
  [[nodiscard]] State move(State state, std::size_t task) const {
    const Instruction& instruction = *next(state, task);
    if (instruction.action == Action::create) state[instruction.number] = 0;
    ++state[task];
    return state;
  }

  // The bytes on which some schedule races: all states are visited.
  [[nodiscard]] std::set<std::size_t> racy_bytes(SectionOrder order) const {
    std::set<std::size_t> racy;
    std::set<State> seen{start()};
    std::vector<State> to_visit{start()};
    while (!to_visit.empty()) {
      const State state = to_visit.back();
      to_visit.pop_back();
      add_races(state, racy);
      for (std::size_t task = 0; task < tasks_.size(); ++task) {
        if (!can_move(state, task, order)) continue;
        State after = move(state, task);
        if (seen.insert(after).second) to_visit.push_back(std::move(after));
      }
    }
    return racy;
  }

  // 0: none.
  [[nodiscard]] int object_of(std::size_t section) const { return sections_[section].object; }
  [[nodiscard]] std::size_t task_count() const { return tasks_.size(); }
  [[nodiscard]] std::size_t finish_count() const { return finishes_.size(); }
  [[nodiscard]] bool is_future(std::size_t task) const { return tasks_[task].is_future; }
  [[nodiscard]] std::size_t finish_of(std::size_t task) const { return tasks_[task].finish; }

 private:
  struct MachineTask {
    bool is_future;
    std::size_t finish;
    std::vector<Instruction> code;
  };

  std::size_t add_task(bool is_future, std::size_t finish) {
    tasks_.push_back({is_future, finish, {}});
    return tasks_.size() - 1;
  }
  void emit(std::size_t task, Action action, std::size_t number) {
    tasks_[task].code.push_back({action, number});
  }
  // In the order of the serial run: so the sections get their numbers, and a get that finds no handle is
  // none.
  void compile(const Program& program, std::size_t task, std::size_t finish) {
    for (const Statement& statement : program) {
      const auto number = static_cast<std::size_t>(statement.number);
      switch (statement.op) {
        case Op::read:
          emit(task, Action::read, number);
          break;
        case Op::write:
          emit(task, Action::write, number);
          break;
        case Op::async:
        case Op::future: {
          const std::size_t child = add_task(statement.op == Op::future, finish);
          finishes_[finish].push_back(child);
          emit(task, Action::create, child);
          compile(statement.body, child, finish);
          if (statement.op == Op::future) handles_[statement.number] = child;
          break;
        }
        case Op::finish: {
          const std::size_t inner = finishes_.size();
          finishes_.emplace_back();
          emit(task, Action::open, inner);
          compile(statement.body, task, inner);
          emit(task, Action::close, inner);
          break;
        }
        case Op::drop:
        case Op::destroy:
        case Op::forget:  // memory here stays what it is
          break;
        case Op::get:
          if (handles_.contains(statement.number)) emit(task, Action::get, handles_[statement.number]);
          break;
        case Op::isolated: {
          const std::size_t section = sections_.size();
          sections_.push_back({task, tasks_[task].code.size(), 0, statement.number});
          emit(task, Action::enter, section);
          compile(statement.body, task, finish);
          sections_[section].leave = tasks_[task].code.size();
          emit(task, Action::leave, section);
          break;
        }
      }
    }
  }
  [[nodiscard]] bool may_enter(const State& state, std::size_t number, SectionOrder order) const {
    for (std::size_t other = 0; other < sections_.size(); ++other) {
      const MachineSection& section = sections_[other];
      if (other == number || !section.excludes(sections_[number])) continue;
      const std::size_t at = state[section.task];
      const bool entered = at != kNotCreated && at > section.enter;
      const bool left = at != kNotCreated && at > section.leave;
      if (entered && !left) return false;
      if (order == SectionOrder::serial && other < number && !left) return false;
    }
    return true;
  }
  void add_races(const State& state, std::set<std::size_t>& racy) const {
    for (std::size_t a = 0; a < tasks_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const Instruction* first = next(state, a);
        const Instruction* second = next(state, b);
        if (first == nullptr || second == nullptr) continue;
        if (first->action > Action::write || second->action > Action::write) continue;
        if (first->action == Action::read && second->action == Action::read) continue;
        if (first->number == second->number) racy.insert(first->number);
      }
    }
  }

  std::vector<MachineTask> tasks_;
  std::vector<std::vector<std::size_t>> finishes_;  // the tasks that each joins
  std::vector<MachineSection> sections_;            // in the order of the serial run
  std::map<int, std::size_t> handles_;              // to the task
};

}  // namespace anyorder::detect::graph
