#include "explore/state_space.hpp"

#include <algorithm>
#include <utility>

namespace anyorder::exploring {

std::optional<StateSpace::Given> StateSpace::next() {
  if (over_) return std::nullopt;
  if (!begun_) {
    begun_ = true;
    ++under_way_;
    return Given{};
  }
  for (;;) {
    while (!open_.empty()) {
      const NodeId id = open_.back();
      if (const auto edge = edge_to_do(id)) {
        nodes_[id].edges[*edge].under_way = true;
        ++under_way_;
        Given given{id, {path_to(id), nodes_[id].state}};
        given.errand.choices.push_back(*edge);
        return given;
      }
      open_.pop_back();
    }
    if (under_way_ != 0) return std::nullopt;
    // What was learnt since may call for more in states that were done.
    for (NodeId id = 0; id != nodes_.size(); ++id) {
      if (nodes_[id].closed_with != learnt_.version() && edge_to_do(id)) open_.push_back(id);
    }
    if (open_.empty()) {
      end(Answer::proved, {});
      return std::nullopt;
    }
  }
}

void StateSpace::accept(const Given& given, Trail trail) {
  --under_way_;
  ++result_.runs;
  result_.deepest = std::max(result_.deepest, trail.sections);
  result_.any_choice_made = result_.any_choice_made || trail.any_choice_made;
  NodeId at = given.node.value_or(0);
  std::uint32_t choice = given.node ? given.errand.choices.back() : 0;
  auto footprint = trail.footprints.begin();
  const auto complete = [&] {
    if (footprint == trail.footprints.end()) return;
    Node::Edge& edge = nodes_[at].edges[choice];
    edge.done = true;
    edge.footprint = std::move(*footprint++);
  };
  if (given.node) {
    nodes_[at].edges[choice].under_way = false;
    complete();
    open_.push_back(at);
  }
  for (NewState& found : trail.states) {
    at = node_of(std::move(found), at, choice);
    choice = 0;
    complete();
    open_.push_back(at);
  }
  take_result(trail);
}

void StateSpace::accept_replay(Trail trail) {
  ++result_.runs;
  result_.deepest = trail.sections;
  result_.any_choice_made = trail.any_choice_made;
  take_result(trail);
  end(Answer::proved, {});
}

void StateSpace::give_up(const Given& given) {
  --under_way_;
  if (!given.node) {
    begun_ = false;
    return;
  }
  nodes_[*given.node].edges[given.errand.choices.back()].under_way = false;
  open_.push_back(*given.node);
}

void StateSpace::take_result(Trail& trail) {
  if (over_) return;
  switch (trail.ending) {
    case Ending::complete:
      reached_end_ = true;
      break;
    case Ending::known:
      break;
    case Ending::race:
      result_.race = trail.race;
      end(Answer::race, std::move(trail.choices));
      break;
    case Ending::deadlock:
      result_.stuck = std::move(trail.stuck);
      end(Answer::deadlock, std::move(trail.choices));
      break;
    case Ending::too_deep:
      end(Answer::out_of_bounds, std::move(trail.choices), "sections in one run");
      break;
    case Ending::diverged:
      end(Answer::diverged, std::move(trail.choices));
      break;
  }
}

NodeId StateSpace::node_of(NewState&& found, NodeId parent, std::uint32_t choice) {
  const auto id = static_cast<NodeId>(nodes_.size());
  const auto [known, is_new] = by_state_.try_emplace(found.state, id);
  if (!is_new) return known->second;
  Node node{parent, choice, found.state, std::move(found.live), {}, 0};
  node.edges.resize(found.turns);
  for (Node::Edge& edge : node.edges) edge.wanted = reduction_ == Reduction::none;
  for (const LiveTask& task : node.live) {
    if (task.turn != 0) continue;
    for (std::uint32_t turn = 0; turn != task.turns; ++turn) node.edges[turn].wanted = true;
  }
  nodes_.push_back(std::move(node));
  return id;
}

void StateSpace::end(Answer answer, Schedule schedule, std::string bound) {
  if (over_) return;
  over_ = true;
  result_.answer = answer;
  result_.schedule = std::move(schedule);
  result_.bound = std::move(bound);
}

Result StateSpace::result() const {
  Result result = result_;
  result.states = nodes_.size() + (reached_end_ ? 1 : 0);
  return result;
}

std::optional<std::uint32_t> StateSpace::edge_to_do(NodeId id) {
  Node& node = nodes_[id];
  if (reduction_ == Reduction::persistent) close(node);
  const auto edge = std::find_if(node.edges.begin(), node.edges.end(), [](const Node::Edge& candidate) {
    return candidate.wanted && !candidate.done && !candidate.under_way;
  });
  if (edge == node.edges.end()) return std::nullopt;
  return static_cast<std::uint32_t>(edge - node.edges.begin());
}

void StateSpace::close(Node& node) const {
  if (node.closed_with == learnt_.version() &&
      std::any_of(node.edges.begin(), node.edges.end(),
                  [](const Node::Edge& edge) { return edge.wanted && !edge.done; })) {
    return;
  }
  node.closed_with = learnt_.version();
  for (bool grown = true; grown;) {
    grown = false;
    std::vector<bool> free = free_tasks(node);
    for (std::size_t i = 0; i != node.live.size(); ++i) {
      // What is not free goes on after a wanted edge, or never.
      if (!free[i] || !conflicts(node, node.live[i])) continue;
      hold(node, i, free);
      free = free_tasks(node);
      grown = true;
    }
  }
}

bool StateSpace::conflicts(const Node& node, const LiveTask& task) const {
  // In front of a section, all that it does from now on is in that one or comes after it.
  const std::uint32_t from = task.sections + (task.turns != 0 && !task.chooses ? 1 : 0);
  return std::any_of(node.edges.begin(), node.edges.end(), [&](const Node::Edge& edge) {
    return edge.wanted && edge.done && learnt_.may_conflict(task.lineage, from, edge.footprint);
  });
}

std::vector<bool> StateSpace::free_tasks(const Node& node) {
  std::vector<bool> free(node.live.size());
  const auto is_free = [&](std::size_t i) { return i < free.size() && free[i]; };
  // The least solution: tasks that wait for each other never go on.
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t i = 0; i != node.live.size(); ++i) {
      if (free[i]) continue;
      const LiveTask& task = node.live[i];
      if (task.turns != 0) {
        free[i] = !node.edges[task.turn].wanted;
      } else if (task.chooses) {
        free[i] = std::any_of(task.waits.begin(), task.waits.end(), is_free);
      } else {
        free[i] = !task.waits.empty() && std::all_of(task.waits.begin(), task.waits.end(), is_free);
      }
      grown = grown || free[i];
    }
  }
  return free;
}

void StateSpace::hold(Node& node, std::size_t live, const std::vector<bool>& free) {
  std::vector<bool> seen(node.live.size());
  std::vector<std::size_t> to_hold{live};
  while (!to_hold.empty()) {
    const std::size_t i = to_hold.back();
    to_hold.pop_back();
    if (i >= free.size() || !free[i] || seen[i]) continue;
    seen[i] = true;
    const LiveTask& task = node.live[i];
    if (task.turns != 0) {
      for (std::uint32_t turn = 0; turn != task.turns; ++turn) node.edges[task.turn + turn].wanted = true;
    } else if (task.chooses) {
      to_hold.insert(to_hold.end(), task.waits.begin(), task.waits.end());
    } else if (!task.waits.empty()) {
      to_hold.push_back(task.waits.front());
    }
  }
}

Schedule StateSpace::path_to(NodeId node) const {
  Schedule path;
  for (NodeId at = node; at != 0; at = nodes_[at].parent) path.push_back(nodes_[at].choice);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace anyorder::exploring
