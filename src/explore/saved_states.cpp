// The state space as text and back.

#include <stdexcept>
#include <utility>

#include "explore/state_space.hpp"
#include "explore/wire.hpp"

namespace anyorder::exploring {
namespace {

constexpr const char* kHeader = "anyorder exploration 2";

constexpr unsigned kWanted = 1;
constexpr unsigned kDone = 2;

}  // namespace

std::string StateSpace::saved() const {
  ByteWriter out;
  out.text(kHeader);
  out.number(result_.runs);
  out.number(result_.deepest);
  out.number(result_.any_choice_made ? 1 : 0);
  out.number(reached_end_ ? 1 : 0);
  write(out, learnt_);
  out.number(nodes_.size());
  for (const Node& node : nodes_) {
    out.number(node.parent);
    out.number(node.choice);
    write(out, node.state);
    write(out, node.live);
    out.number(node.edges.size());
    for (const Node::Edge& edge : node.edges) {
      out.number((edge.wanted ? kWanted : 0U) | (edge.done ? kDone : 0U));
      if (edge.done) write(out, edge.footprint);
    }
  }
  return std::move(out.bytes);
}

void StateSpace::restore(const std::string& text) {
  ByteReader in(text);
  if (in.text() != kHeader) throw std::runtime_error("it is no exploration of this version");
  result_.runs = in.number();
  result_.deepest = in.number();
  result_.any_choice_made = in.number_below(2) != 0;
  reached_end_ = in.number_below(2) != 0;
  read_learnt(in, learnt_);
  for (std::size_t count = in.count(); count != 0; --count) {
    const auto id = static_cast<NodeId>(nodes_.size());
    Node node;
    node.parent = static_cast<NodeId>(in.number_below(id == 0 ? 1 : id));
    node.choice = static_cast<std::uint32_t>(in.number_below(id == 0 ? 1 : nodes_[node.parent].edges.size()));
    node.state = read_digest(in);
    node.live = read_live_tasks(in);
    for (std::size_t i = in.count(); i != 0; --i) {
      Node::Edge edge;
      const std::uint64_t bits = in.number_below(4);
      edge.wanted = (bits & kWanted) != 0;
      edge.done = (bits & kDone) != 0;
      if (edge.done) edge.footprint = read_footprint(in);
      node.edges.push_back(std::move(edge));
    }
    for (const LiveTask& task : node.live) {
      if (task.turns != 0 && std::uint64_t{task.turn} + task.turns > node.edges.size())
        throw std::runtime_error("a turn is of no task");
    }
    if (node.edges.empty() || !by_state_.try_emplace(node.state, id).second) {
      throw std::runtime_error("a state is there twice");
    }
    nodes_.push_back(std::move(node));
    open_.push_back(id);
  }
  if (!in.at_end()) throw std::runtime_error("there is something behind its end");
  begun_ = !nodes_.empty();
}

}  // namespace anyorder::exploring
