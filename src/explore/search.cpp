#include "explore/search.hpp"

#include <algorithm>
#include <utility>

namespace anyorder::exploring {

Search::Search(Program& program, Reduction reduction, Bounds bounds, Omitted omitted)
    : program_(program),
      reduction_(reduction),
      bounds_(bounds),
      begun_(std::chrono::steady_clock::now()),
      run_(omitted) {}

Result Search::go() {
  run_along(std::nullopt, 0);
  while (!over_) {
    while (!over_ && !open_.empty()) {
      if (const auto edge = edge_to_do(open_.back())) {
        run_along(open_.back(), *edge);
      } else {
        open_.pop_back();
      }
    }
    // What was learnt since may call for more in states that were done.
    for (NodeId node = 0; !over_ && node != nodes_.size(); ++node) {
      if (nodes_[node].closed_with != learnt_.version() && edge_to_do(node)) open_.push_back(node);
    }
    if (open_.empty()) break;
  }
  result_.states = nodes_.size() + (reached_end_ ? 1 : 0);
  return std::move(result_);
}

Result Search::replay(Schedule schedule) {
  ++result_.runs;
  Guide guide(*this, std::move(schedule), std::nullopt);
  program_.run(guide);
  if (!over_ && guide.depth_ < guide.prefix_.size()) {
    while (!guide.prefix_.empty() && guide.prefix_.back() == 0) guide.prefix_.pop_back();
    if (guide.depth_ < guide.prefix_.size()) end(Answer::diverged, guide.prefix_);
  }
  result_.states = nodes_.size() + (guide.done_ ? 0 : 1);
  return std::move(result_);
}

std::optional<std::uint32_t> Search::edge_to_do(NodeId id) {
  Node& node = nodes_[id];
  if (reduction_ == Reduction::persistent) close(node);
  const auto edge = std::find_if(node.edges.begin(), node.edges.end(), [](const Node::Edge& candidate) {
    return candidate.wanted && !candidate.done;
  });
  if (edge == node.edges.end()) return std::nullopt;
  return static_cast<std::uint32_t>(edge - node.edges.begin());
}

void Search::close(Node& node) const {
  if (node.closed_with == learnt_.version() &&
      std::any_of(node.edges.begin(), node.edges.end(),
                  [](const Node::Edge& edge) { return edge.wanted && !edge.done; })) {
    return;
  }
  node.closed_with = learnt_.version();
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t i = 0; i != node.live.size(); ++i) {
      const LiveTask& task = node.live[i];
      if (task.turn) {
        Node::Edge& edge = node.edges[*task.turn];
        if (edge.wanted || !conflicts(node, task)) continue;
        edge.wanted = grown = true;
      } else {
        const auto turn = turn_before(node, i);
        // Without a turn before it, it never moves again; with a wanted one, not before that.
        if (!turn || node.edges[*turn].wanted || !conflicts(node, task)) continue;
        node.edges[*turn].wanted = grown = true;
      }
    }
  }
}

bool Search::conflicts(const Node& node, const LiveTask& task) const {
  // In front of a section, all that it does from now on is in that one or comes after it.
  const std::uint32_t from = task.sections + (task.turn ? 1 : 0);
  return std::any_of(node.edges.begin(), node.edges.end(), [&](const Node::Edge& edge) {
    return edge.wanted && edge.done && learnt_.may_conflict(task.lineage, from, edge.footprint);
  });
}

std::optional<std::size_t> Search::turn_before(const Node& node, std::size_t live) {
  std::vector<bool> seen(node.live.size());
  std::vector<std::size_t> to_see{live};
  std::optional<std::size_t> any;
  while (!to_see.empty()) {
    const std::size_t i = to_see.back();
    to_see.pop_back();
    if (i >= node.live.size() || seen[i]) continue;
    seen[i] = true;
    if (const auto turn = node.live[i].turn) {
      if (node.edges[*turn].wanted) return turn;
      any = turn;
    }
    to_see.insert(to_see.end(), node.live[i].waits.begin(), node.live[i].waits.end());
  }
  return any;
}

Schedule Search::path_to(NodeId node) const {
  Schedule path;
  for (NodeId at = node; at != 0; at = nodes_[at].parent) path.push_back(nodes_[at].choice);
  std::reverse(path.begin(), path.end());
  return path;
}

bool Search::within_bounds() {
  if (result_.runs >= bounds_.runs) {
    result_.bound = "orders";
  } else if (std::chrono::steady_clock::now() - begun_ > bounds_.time) {
    result_.bound = "seconds";
  } else {
    return true;
  }
  return false;
}

void Search::run_along(std::optional<NodeId> node, std::uint32_t edge) {
  Schedule prefix;
  if (node) {
    prefix = path_to(*node);
    prefix.push_back(edge);
  }
  if (!within_bounds()) {
    end(Answer::out_of_bounds, std::move(prefix));
    return;
  }
  ++result_.runs;
  run_.begin();
  Guide guide(*this, std::move(prefix), node);
  program_.run(guide);
  if (!guide.done_ && !over_) {
    if (guide.depth_ < guide.prefix_.size()) {
      end(Answer::diverged, guide.prefix_);
      return;
    }
    guide.complete_edge();  // the program has ended
    reached_end_ = true;
  }
  run_.teach(learnt_);
}

void Search::end(Answer answer, Schedule schedule) {
  if (over_) return;
  over_ = true;
  result_.answer = answer;
  result_.schedule = std::move(schedule);
}

void Guide::complete_edge() {
  Footprint footprint = run().take_footprint();
  if (!edge_) return;
  Node::Edge& edge = search_.nodes_[*node_].edges[*edge_];
  edge.done = true;
  edge.footprint = std::move(footprint);
}

void Guide::found(const RaceSeen& race) {
  if (done_) return;
  search_.result_.race = race;
  search_.end(Answer::race, prefix_);
  stop();
}

std::optional<std::size_t> Guide::next(std::span<const TaskNumber> standing) {
  if (done_) return std::nullopt;
  std::vector<Node>& nodes = search_.nodes_;
  const Digest state = run().state([&](Word word) { return search_.program_.load(word); });
  if (!standing.empty()) {
    search_.result_.deepest = std::max<std::uint64_t>(search_.result_.deepest, depth_ + 1);
  }

  if (depth_ < prefix_.size()) {
    const std::uint32_t choice = prefix_[depth_++];
    if (choice >= standing.size()) {
      search_.end(Answer::diverged, prefix_);
      return stop();
    }
    if (node_ && depth_ == prefix_.size()) {
      // The state whose edge is new.
      if (nodes[*node_].state != state || nodes[*node_].edges.size() != standing.size()) {
        search_.end(Answer::diverged, prefix_);
        return stop();
      }
      static_cast<void>(run().take_footprint());
      edge_ = choice;
    }
    return choice;
  }

  complete_edge();
  if (standing.empty()) {
    search_.result_.stuck = run().live_tasks(standing);
    search_.end(Answer::deadlock, prefix_);
    return stop();
  }
  if (search_.by_state_.contains(state)) return stop();
  if (prefix_.size() >= search_.bounds_.depth) {
    search_.result_.bound = "sections in one run";
    search_.end(Answer::out_of_bounds, prefix_);
    return stop();
  }
  const auto id = static_cast<NodeId>(nodes.size());
  Node node{node_.value_or(0), edge_.value_or(0), state, run().live_tasks(standing), {}, 0};
  node.edges.resize(standing.size());
  const bool all = search_.reduction_ == Reduction::none;
  for (Node::Edge& edge : node.edges) edge.wanted = all;
  node.edges.front().wanted = true;
  nodes.push_back(std::move(node));
  search_.by_state_.emplace(state, id);
  search_.open_.push_back(id);
  node_ = id;
  edge_ = 0;
  prefix_.push_back(0);
  depth_ = prefix_.size();
  return 0;
}

}  // namespace anyorder::exploring
