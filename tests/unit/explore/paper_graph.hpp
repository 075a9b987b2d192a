// The method of the paper itself, on models: the computation graph of one order of isolated sections, with
// the paper's edges, and all orders one after the other, without any reduction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "model.hpp"

namespace anyorder::exploring::model {

class PaperGraph {
 public:
  struct Node {
    std::size_t task;
    bool isolated;
    std::set<unsigned> reads{};   // ρ
    std::set<unsigned> writes{};  // ω
  };

  // The order is given by which of the tasks that stand goes on, each time; then the first.
  PaperGraph(const Block& program, const std::vector<std::size_t>& order) : machine_(program) {
    tasks_.push_back({new_node(0, false)});
    for (;;) {
      for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t i = 0; i != machine_.tasks.size(); ++i) {
          while (machine_.front(i).kind == Front::local || machine_.front(i).kind == Front::access) {
            step(i);
            moved = true;
          }
        }
      }
      if (machine_.all_ended()) return;
      std::vector<std::size_t> standing;
      for (std::size_t i = 0; i != machine_.tasks.size(); ++i) {
        if (machine_.front(i).kind == Front::enter) standing.push_back(i);
      }
      if (standing.empty()) {
        deadlock = true;
        return;
      }
      const std::size_t chosen = standing[choices.size() < order.size() ? order[choices.size()] : 0];
      choices.push_back(standing.size());
      do step(chosen);
      while (machine_.tasks[chosen].section.entered);
    }
  }

  std::vector<Node> nodes;
  std::set<std::pair<std::size_t, std::size_t>> edges;
  std::vector<std::size_t> choices;  // how many there were, each time
  bool deadlock = false;

  [[nodiscard]] bool precedes(std::size_t a, std::size_t b) const { return reach_[b].count(a) != 0; }
  // Two nodes that conflict and are in no order.
  [[nodiscard]] bool has_race() const {
    return any_unordered([](const Node& a, const Node& b) {
      return meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes);
    });
  }
  // By the formula as it is printed: a node that writes anything is in conflict with all others.
  [[nodiscard]] bool has_race_as_printed() const {
    return any_unordered([](const Node& a, const Node& b) {
      return meet(a.writes, b.writes) || meet(a.writes, a.writes) || meet(a.reads, b.writes);
    });
  }

 private:
  struct TaskSeen {
    std::size_t node;  // that it is in, or was in last
  };

  static bool meet(const std::set<unsigned>& a, const std::set<unsigned>& b) {
    return std::any_of(a.begin(), a.end(), [&](unsigned x) { return b.count(x) != 0; });
  }
  template <class Conflict>
  [[nodiscard]] bool any_unordered(Conflict conflict) const {
    for (std::size_t b = 0; b != nodes.size(); ++b) {
      for (std::size_t a = 0; a != b; ++a) {
        if (conflict(nodes[a], nodes[b]) && !precedes(a, b) && !precedes(b, a)) return true;
      }
    }
    return false;
  }

  std::size_t new_node(std::size_t task, bool isolated) {
    nodes.push_back({task, isolated});
    reach_.emplace_back();
    return nodes.size() - 1;
  }
  // From a node that gets no further edges to it.
  void add_edge(std::size_t from, std::size_t to) {
    edges.emplace(from, to);
    reach_[to].insert(reach_[from].begin(), reach_[from].end());
    reach_[to].insert(from);
  }
  void go_on(std::size_t task, bool isolated = false) {
    const std::size_t node = new_node(task, isolated);
    add_edge(tasks_[task].node, node);
    tasks_[task].node = node;
  }

  void step(std::size_t i) {
    if (machine_.at_end_of_block(i)) {
      const Frame frame = machine_.tasks[i].frames.back();
      machine_.step(i);
      if (frame.kind == Frame::section) {
        last_isolated_ = tasks_[i].node + 1;
        go_on(i);
      } else if (frame.kind == Frame::finish) {
        go_on(i);
        for (std::size_t other = 0; other != tasks_.size(); ++other) {
          if (other != i && machine_.tasks[other].finish == frame.id)
            add_edge(tasks_[other].node, tasks_[i].node);
        }
      }
      return;
    }
    const Statement& s = machine_.statement(i);
    switch (s.op) {
      case Op::read:
      case Op::take:
        nodes[tasks_[i].node].reads.insert(s.variable);
        break;
      case Op::write:
      case Op::put:
        nodes[tasks_[i].node].writes.insert(s.variable);
        break;
      case Op::get:
        if (machine_.tasks[i].handle != 0) {
          const std::size_t target = machine_.number_of(machine_.tasks[i].handle);
          go_on(i);
          add_edge(tasks_[target].node, tasks_[i].node);
        }
        break;
      case Op::isolated:
        go_on(i, true);
        if (last_isolated_ != 0) add_edge(last_isolated_ - 1, tasks_[i].node);
        break;
      case Op::async:
      case Op::future:
      case Op::post: {
        const std::size_t child = new_node(tasks_.size(), false);
        add_edge(tasks_[i].node, child);
        tasks_.push_back({child});
        go_on(i);
        break;
      }
      default:
        break;
    }
    machine_.step(i);
  }

  Machine machine_;
  std::vector<TaskSeen> tasks_;
  std::vector<std::set<std::size_t>> reach_;  // by node: all that precede it
  std::size_t last_isolated_ = 0;             // + 1; 0: none
};

// Calls each(graph) for every order of isolated sections, until it returns false; how many there were.
template <class Each>
std::uint64_t for_every_order(const Block& program, Each each) {
  std::vector<std::size_t> order;
  for (std::uint64_t orders = 1;; ++orders) {
    const PaperGraph graph(program, order);
    if (!each(graph)) return orders;
    order.resize(graph.choices.size());
    while (!order.empty() && order.back() + 1 >= graph.choices[order.size() - 1]) order.pop_back();
    if (order.empty()) return orders;
    ++order.back();
  }
}

}  // namespace anyorder::exploring::model
