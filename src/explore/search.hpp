// The search over the orders of isolated sections: until the first race or deadlock, or the proof that there
// is none. README.md in this folder says why that is one.
//
// Contract: for one thread. The program is run again and again, from its beginning, and has to do the same
// whenever it gets the same answers from its guide.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/footprint.hpp"
#include "explore/run.hpp"
#include "explore/schedule.hpp"

namespace anyorder::exploring {

class Guide;

class Program {
 public:
  virtual ~Program() = default;
  // Runs it once. All events go to guide.run(); when all tasks stand, guide.next() says how to go on.
  virtual void run(Guide& guide) = 0;
  // What the word holds now.
  [[nodiscard]] virtual std::uint64_t load(Word word) const = 0;
};

// Which sections are executed in a state.
enum class Reduction : std::uint8_t {
  none,        // every one that can be: the reference
  persistent,  // a set that nothing outside of it can get in conflict with, by all that was learnt so far
};

struct Bounds {
  std::uint64_t runs = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t depth = 100'000;  // sections in one run
  std::chrono::duration<double> time{std::numeric_limits<double>::infinity()};
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

class Search {
 public:
  explicit Search(Program& program, Reduction reduction = Reduction::persistent, Bounds bounds = {},
                  Omitted omitted = {});

  [[nodiscard]] Result go();
  // Runs the program once, in that order of sections. Proved: this one has no race and no deadlock.
  [[nodiscard]] Result replay(Schedule schedule);

 private:
  friend class Guide;

  // Runs the program along the path to a node and one of its edges, and on to where all is known.
  void run_along(std::optional<NodeId> node, std::uint32_t edge);
  [[nodiscard]] Schedule path_to(NodeId node) const;
  // Makes the node's set of wanted edges one that is closed under what was learnt.
  void close(Node& node) const;
  [[nodiscard]] bool conflicts(const Node& node, const LiveTask& task) const;
  // A turn that the task has to wait for, directly or not; prefers one that is wanted.
  [[nodiscard]] static std::optional<std::size_t> turn_before(const Node& node, std::size_t live);
  [[nodiscard]] std::optional<std::uint32_t> edge_to_do(NodeId id);
  void end(Answer answer, Schedule schedule);
  [[nodiscard]] bool within_bounds();

  Program& program_;
  Reduction reduction_;
  Bounds bounds_;
  std::chrono::steady_clock::time_point begun_;
  Run run_;
  Learnt learnt_;
  std::vector<Node> nodes_;
  std::unordered_map<Digest, NodeId, DigestHash> by_state_;
  std::vector<NodeId> open_;
  bool over_ = false;
  bool reached_end_ = false;  // some run has ended by itself
  Result result_;
};

// One run: follows a schedule, then finds new states.
class Guide {
 public:
  [[nodiscard]] Run& run() { return search_.run_; }
  // standing: the tasks in front of a section; none: those that live wait for each other. The index of the
  // one that goes on. Nothing: no more is to be told of this run, which may end in any way.
  [[nodiscard]] std::optional<std::size_t> next(std::span<const TaskNumber> standing);
  void found(const RaceSeen& race);
  // Nothing that follows is of interest.
  [[nodiscard]] bool done() const { return done_; }

 private:
  friend class Search;
  Guide(Search& search, Schedule prefix, std::optional<NodeId> node)
      : search_(search), prefix_(std::move(prefix)), node_(node) {}

  std::optional<std::size_t> stop() {
    done_ = true;
    return std::nullopt;
  }
  // The footprint of the edge that was taken last is complete.
  void complete_edge();

  Search& search_;
  Schedule prefix_;  // then all choices
  std::size_t depth_ = 0;
  std::optional<NodeId> node_;  // the last one that was reached, or that the prefix will reach
  std::optional<std::uint32_t> edge_;
  bool done_ = false;
};

}  // namespace anyorder::exploring
