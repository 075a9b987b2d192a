// A join policy, as an executor uses it: what it is told of tasks, and what it answers to a get.
//
// Contract: as events::Listener has it. An executor keeps a word for the policy in the record of each task
// and of each finish. A word may outlive its policy's time in force: it says whose it is.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "deadlock/wait_graph.hpp"

namespace anyorder::deadlock {

enum class PolicyName : std::uint8_t {
  off,
  known,     // snapshot sets; a get of an unknown task is searched for cycles
  known_vc,  // the same by vector clocks
  strict,    // snapshot sets; a get of an unknown task is refused
  cycle,     // every get is searched for cycles
};
[[nodiscard]] std::optional<PolicyName> policy_named(std::string_view name);
[[nodiscard]] std::string_view name_of(PolicyName policy);
// "off, known, …"
[[nodiscard]] std::string names_of_policies();

// A policy's word in the record of a task; null at first. One thread at a time writes it.
using TaskWord = void*;
// In that of a finish; tasks that end write it. Null for a finish after which nobody asks.
using FinishWord = std::atomic<void*>;

class Policy {
 public:
  Policy(PolicyName name, WaitGraph::Resume resume)
      : name_(name), graph_(resume, name == PolicyName::cycle) {}
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;
  virtual ~Policy() = default;

  [[nodiscard]] PolicyName name() const { return name_; }
  // The policy comes into force, when nothing is alive. What is older has ended.
  void begin_period() { ++period_; }
  [[nodiscard]] bool has_knowledge() const { return name_ != PolicyName::cycle; }
  [[nodiscard]] WaitGraph& graph() { return graph_; }

  // A parent without a word is the root of a thread, and gets one.
  virtual void forked(TaskWord& parent, TaskWord& child, bool is_future) = 0;
  virtual void split(TaskWord& loop, TaskWord& rest) = 0;
  virtual void index_ended(TaskWord& loop, FinishWord* finish) = 0;
  virtual void ended(TaskWord& task, FinishWord* finish) = 0;
  virtual void finish_ended(TaskWord& owner, FinishWord& finish) = 0;
  // The record goes. Not only of a word of this policy.
  virtual void forget(TaskWord& task) = 0;

  // A target that has no word of this period is older than it: it has ended, and counts as known.
  [[nodiscard]] virtual bool knows(TaskWord& task, TaskWord target) = 0;
  virtual void joined(TaskWord& task, TaskWord target) = 0;

  [[nodiscard]] virtual WaitNode& node(TaskWord& task) = 0;

 protected:
  [[nodiscard]] std::uint32_t period() const { return period_; }

 private:
  const PolicyName name_;
  std::uint32_t period_ = 0;
  WaitGraph graph_;
};

// The policy of that name; null for off. There is one of each, never destroyed. All calls give the same
// resume.
[[nodiscard]] Policy* policy(PolicyName name, WaitGraph::Resume resume);
// Of a word that is not null.
[[nodiscard]] Policy& owner_of(TaskWord word);

}  // namespace anyorder::deadlock
