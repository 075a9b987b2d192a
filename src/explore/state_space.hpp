// The states that were found, which sections are executed in each, and the errands that this calls for: until
// the first race or deadlock, or the proof that there is none. README.md in this folder says why that is one.
//
// Contract: for one thread. Several errands may be under way at once, in any processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/errand.hpp"
#include "explore/guide.hpp"

namespace anyorder::exploring {

// Which sections are executed in a state.
enum class Reduction : std::uint8_t {
  none,        // every one that can be: the reference
  persistent,  // a set that nothing outside of it can get in conflict with, by all that was learnt so far
};

enum class Answer : std::uint8_t {
  proved,
  race,
  deadlock,
  out_of_bounds,  // one of the bounds was reached
  diverged,       // the program did something else when it was run again
};

struct Result {
  Answer answer = Answer::proved;
  std::uint64_t runs = 0;
  std::uint64_t states = 0;
  std::uint64_t deepest = 0;     // sections in one run, at most
  bool any_choice_made = false;  // and choices of which task to await
  Schedule schedule;             // that leads to the race, the deadlock, or the bound
  std::optional<RaceSeen> race;  // iff answer is race
  std::vector<LiveTask> stuck;   // iff it is deadlock
  std::string bound;             // iff it is out_of_bounds: which
};

using NodeId = std::uint32_t;

// A state in which all tasks stand, and what was done about it.
struct Node {
  struct Edge {
    bool wanted = false;
    bool under_way = false;
    bool done = false;
    Footprint footprint;  // of the section and of what it let run, once it is done
  };
  NodeId parent = 0;
  std::uint32_t choice = 0;  // the parent's edge
  Digest state;
  std::vector<LiveTask> live;
  std::vector<Edge> edges;        // by turn
  std::uint64_t closed_with = 0;  // the version of what was learnt
};

class StateSpace final : public KnownStates {
 public:
  explicit StateSpace(Reduction reduction) : reduction_(reduction) {}

  // An errand and who gave it. Nothing: if over(), there is nothing left to do; else it depends on the
  // errands that are under way.
  struct Given {
    std::optional<NodeId> node;
    Errand errand;
  };
  [[nodiscard]] std::optional<Given> next();
  // What came of it. What the run was seen to touch is in learnt() before.
  void accept(const Given& given, Trail trail);
  // What came of a run in a given order. Proved: that one has no race and no deadlock.
  void accept_replay(Trail trail);
  // The errand came to nothing: it is to be given again.
  void give_up(const Given& given);

  [[nodiscard]] bool over() const { return over_; }
  void end(Answer answer, Schedule schedule, std::string bound = {});

  [[nodiscard]] Learnt& learnt() { return learnt_; }
  [[nodiscard]] bool contains(const Digest& state) const override { return by_state_.contains(state); }
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] std::uint64_t runs() const { return result_.runs; }
  [[nodiscard]] std::uint64_t deepest() const { return result_.deepest; }
  // So far.
  [[nodiscard]] Result result() const;

  // All that was learnt, for another process that goes on from there; what is under way is not in it.
  [[nodiscard]] std::string saved() const;
  // Throws std::runtime_error if the text is none that saved() gave. To be called before all others.
  void restore(const std::string& text);

 private:
  [[nodiscard]] Schedule path_to(NodeId node) const;
  // Makes the node's set of wanted edges one that is closed under what was learnt.
  void close(Node& node) const;
  [[nodiscard]] bool conflicts(const Node& node, const LiveTask& task) const;
  // Which of the live tasks may go on before a wanted edge is taken.
  [[nodiscard]] static std::vector<bool> free_tasks(const Node& node);
  // Wants what the task, which is free, cannot go on without: its own turns, or others'.
  static void hold(Node& node, std::size_t live, const std::vector<bool>& free);
  [[nodiscard]] std::optional<std::uint32_t> edge_to_do(NodeId id);
  // The node of that state, made if there is none.
  NodeId node_of(NewState&& found, NodeId parent, std::uint32_t choice);
  void take_result(Trail& trail);

  Reduction reduction_;
  Learnt learnt_;
  std::vector<Node> nodes_;
  std::unordered_map<Digest, NodeId, DigestHash> by_state_;
  std::vector<NodeId> open_;
  std::size_t under_way_ = 0;
  bool begun_ = false;
  bool over_ = false;
  bool reached_end_ = false;  // some run has ended by itself
  Result result_;
};

}  // namespace anyorder::exploring
