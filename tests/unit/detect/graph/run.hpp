// Runs a Program serially, depth-first: what the serial executor would tell a detector, it tells this one.
#pragma once

#include <deque>
#include <map>
#include <span>

#include "detect/graph/graph.hpp"
#include "findings/finding_set.hpp"
#include "program.hpp"

namespace anyorder::detect::graph {

// The addresses of a program's bytes begin here.
inline constexpr std::uintptr_t kMemory = 0x1000;

class SerialRun {
 public:
  explicit SerialRun(Graph& graph) : graph_(graph) {}

  void run(const Program& program) {
    void*& root = slots_.emplace_back();
    void*& finish = slots_.emplace_back();
    graph_.root_begun(root, finish);
    run(program, root, finish);
    graph_.root_ended(root, finish);
  }

 private:
  void run(const Program& program, void*& task, void*& finish) {
    for (const Statement& statement : program) run(statement, task, finish);
  }
  void run(const Statement& statement, void*& task, void*& finish) {
    const events::SourceSite at{"program.cpp", "program", ++line_};
    switch (statement.op) {
      case Op::read:
        graph_.read(task, kMemory + static_cast<std::uintptr_t>(statement.number), 1, line_);
        break;
      case Op::write:
        graph_.write(task, kMemory + static_cast<std::uintptr_t>(statement.number), 1, line_);
        break;
      case Op::async:
        create(statement, task, finish, events::TaskKind::async, at);
        break;
      case Op::future:
        handles_[statement.number] = &create(statement, task, finish, events::TaskKind::future, at);
        break;
      case Op::finish: {
        void*& inner = slots_.emplace_back();
        graph_.finish_begun(task, inner, at);
        run(statement.body, task, inner);
        graph_.finish_ended(task, inner);
        break;
      }
      case Op::get: {
        const auto handle = handles_.find(statement.number);
        if (handle == handles_.end()) break;
        graph_.get_begun(task, *handle->second, at);
        graph_.get_ended(task, *handle->second, at);
        break;
      }
      case Op::isolated: {
        const void* const object = &objects_[statement.number];
        const auto objects = std::span(&object, statement.number == 0 ? 0 : 1);
        graph_.isolated_entered(task, objects, at);
        run(statement.body, task, finish);
        graph_.isolated_left(task, objects);
        break;
      }
    }
  }
  void*& create(const Statement& statement, void*& task, void*& finish, events::TaskKind kind,
                events::SourceSite at) {
    void*& child = slots_.emplace_back();
    graph_.task_created(task, child, finish, kind, at);
    graph_.task_begun(child);
    run(statement.body, child, finish);
    graph_.task_ended(child);
    graph_.task_resumed(task);
    return child;
  }

  Graph& graph_;
  std::deque<void*> slots_;
  std::map<int, void**> handles_;
  char objects_[8] = {};
  std::uint32_t line_ = 0;
};

// A program, run, and what was found.
struct Checked {
  findings::FindingSet findings;
  Graph graph{findings};

  explicit Checked(const Program& program) { SerialRun(graph).run(program); }

  [[nodiscard]] findings::Verdict verdict() const { return findings.verdict(); }
};

}  // namespace anyorder::detect::graph
