// The oracle: keeps the whole computation graph of a run and every access, and decides each conflicting pair
// of steps by reachability. README.md in this folder says why it is right and what it costs.
//
// Contract: as events::Listener; every member may be called from any thread, one lock is held inside. `state`
// of an access is the slot of a task or root whose beginning was heard and whose end was not.
//
// Each pair is judged when the later access is made, and that judgement is final (see the README): this is
// what goes to the findings, so that a run that ends early keeps what was found. decide() judges all pairs
// again at the end, from the records alone and without any set that was kept during the run; tests and the
// differential fuzzer hold the two against each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "detect/graph/access_log.hpp"
#include "detect/graph/computation_graph.hpp"
#include "detect/graph/past.hpp"
#include "events/detector.hpp"
#include "findings/origin.hpp"
#include "findings/remedy.hpp"
#include "findings/sink.hpp"
#include "findings/verdict.hpp"

namespace anyorder::detect::graph {

enum class Judgement : std::uint8_t {
  ordered,    // by continue, spawn and join edges: on every schedule
  exclusive,  // both in isolated sections that exclude each other
  undecided,  // only by the order of isolated sections in this run: for explore to decide
  race,
};

// A pair of accesses that is not harmless: its judgement is undecided or race.
struct Conflict {
  std::uintptr_t begin;
  std::uintptr_t end;
  LoggedAccess first;  // in the step with the lower number
  LoggedAccess second;
  Judgement judgement;
};

class Graph final : public events::Listener {
 public:
  static constexpr events::DetectorTraits kTraits{
      "graph",
      events::Construct::async_finish | events::Construct::fork_join | events::Construct::futures |
          events::Construct::isolated,
      events::Execution::serial_depth_first, events::Guarantee::all_schedules_of_this_input};

  static constexpr bool kKeepsSites = true;

  explicit Graph(findings::Sink& findings) : findings_(findings), pasts_(graph_) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void root_begun(events::Slot root, events::Slot finish) override;
  void root_ended(events::Slot root, events::Slot finish) override;
  void task_created(events::Slot parent, events::Slot child, events::Slot finish, events::TaskKind kind,
                    events::SourceSite at) override;
  void task_begun(events::Slot task) override;
  void task_ended(events::Slot task) override;
  void task_resumed(events::Slot task) override;
  void task_forgotten(events::Slot task) override;
  void finish_begun(events::Slot owner, events::Slot finish, events::SourceSite at) override;
  void finish_ended(events::Slot owner, events::Slot finish) override;
  void get_begun(events::Slot getter, events::Slot target, events::SourceSite at) override;
  void get_ended(events::Slot getter, events::Slot target, events::SourceSite at) override;
  void isolated_entered(events::Slot task, std::span<const void* const> objects,
                        events::SourceSite at) override;
  void posted(events::Slot task, const void* region) override;
  void isolated_left(events::Slot task, std::span<const void* const> objects) override;

  void read(void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    access(state, address, bytes, {0, findings::AccessKind::read, site});
  }
  void write(void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    access(state, address, bytes, {0, findings::AccessKind::write, site});
  }
  void forget(std::uintptr_t address, std::size_t bytes);

  // Reference counts. What a task does to a shared object when it has dropped the last reference comes, on
  // every schedule, after what the others did before they dropped theirs. But only that: another task may be
  // the last on another schedule, and then all else that this one does is not ordered.
  void release_reference(void* state, const void* counter);
  // The runtime's own counts say when the destruction begins and ends. `ended` is the slot of the task that
  // had a reference until its end, if one had.
  void begin_destruction(void* state, const void* counter, void* ended = nullptr);
  void end_destruction(void* state);
  // Of others it is known by the free that follows: what the task did in between to a block that it frees was
  // part of its destruction.
  void release_last_reference(void* state, const void* counter);
  // The free of a block: a write to all of it.
  void retire(void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site);

  // As in Access::task.
  [[nodiscard]] static std::uint64_t number_of(void* state) { return task_in(state).id; }

  // Every undecided or racing pair of all accesses so far, by the step of the second access.
  [[nodiscard]] std::vector<Conflict> decide() const;

  // What would have ordered the pairs that race, by their places; when the run is over.
  [[nodiscard]] std::vector<findings::Remedy> remedies() const;

  // What "no race, nothing undecided" covers: one order as soon as two sections of this run could have come
  // in the other order.
  [[nodiscard]] findings::Coverage coverage() const;

  // By the names of the JSON's "stats".
  [[nodiscard]] std::vector<std::pair<std::string, double>> statistics() const;

  // The graph so far, racing steps marked. export.cpp has the formats.
  void write_json(std::ostream& out) const;
  void write_dot(std::ostream& out) const;

 private:
  // Who has dropped a reference: task → the step that ended with its last drop.
  using Drops = std::unordered_map<TaskId, StepId>;
  // What it counted is being destroyed: until it was freed and the task turns to another counter.
  struct EndedCounter {
    Drops drops;
    bool freed = false;
  };

  // What the slots of a task and of a finish point to.
  struct RunningTask {
    TaskId id;
    StepId current;  // the last one once the task has ended
    bool ended = false;
    // The drops of references to each object that the task is destroying, innermost last.
    std::vector<Drops> destroying{};
    // Likewise, of counters that it has found to be at their end; and the races that are none if the task
    // frees their memory.
    std::map<std::uintptr_t, EndedCounter> ended_counters{};  // by address
    std::vector<Conflict> pending{};
  };
  struct OpenFinish {
    TaskId owner;
    events::SourceSite at;
    std::vector<const RunningTask*> tasks;  // whose IEF it is
  };
  using StepPair = std::pair<StepId, StepId>;

  static RunningTask& task_in(void* slot);
  static OpenFinish& finish_in(void* slot);
  RunningTask& begin_task(events::Slot slot, const Task& task, std::span<const Edge> edges);
  // The task goes on in a new step; `edges` come beside the continue edge.
  void next_step(RunningTask& task, SectionId section, events::SourceSite from, std::vector<Edge> edges = {},
                 StepBegin begun_by = StepBegin::other);
  void end_task(RunningTask& task);
  // Order edges from the earlier sections that exclude one on `objects` and are not known to precede `task`.
  [[nodiscard]] std::vector<Edge> edges_from_sections(const RunningTask& task,
                                                      std::span<const void* const> objects);

  void access(RunningTask& task, std::uintptr_t address, std::size_t bytes, LoggedAccess access);
  void access(void* state, std::uintptr_t address, std::size_t bytes, LoggedAccess access);
  // precedes(along): along these edges a path leads from `earlier` to `later`.
  template <class Precedes>
  [[nodiscard]] Judgement judge(StepId earlier, StepId later, Precedes precedes) const;
  // Whether `earlier` precedes one of the drops.
  [[nodiscard]] bool precedes_a_drop(StepId earlier, const Drops& drops) const;
  [[nodiscard]] Drops take_drops(const void* counter);
  static void add_drops(Drops& drops, const Drops& more);
  static void end_destructions(RunningTask& task);
  // Pending races whose memory was not freed are races.
  void flush(RunningTask& task);
  void report(const Conflict& conflict);
  void remember_pair(const Conflict& conflict);
  [[nodiscard]] findings::OriginatedAccess describe(const LoggedAccess& access) const;

  findings::Sink& findings_;
  mutable std::mutex mutex_;  // guards all below
  ComputationGraph graph_;
  RunningPasts pasts_;
  AccessLog log_;
  std::deque<RunningTask> tasks_;    // slots point into it
  std::deque<OpenFinish> finishes_;  // likewise
  // The last step of the last section on each object since the last section without objects, and of that.
  std::unordered_map<const void*, StepId> last_section_on_;
  std::vector<StepId> last_section_on_all_;  // at most one
  std::map<std::uintptr_t, Drops> dropped_;  // by the counter's address
  // Bytes, places and kinds of access that were reported.
  std::set<std::tuple<std::uintptr_t, std::uintptr_t, std::uintptr_t, std::uintptr_t, unsigned>> reported_;
  // By the places of the two accesses: some of the pairs of steps that race, the one that came first first.
  using SitePair = std::pair<std::uintptr_t, std::uintptr_t>;
  std::map<SitePair, std::vector<StepPair>> sample_;
  std::set<StepPair> racing_;
  std::set<StepPair> undecided_;
};

}  // namespace anyorder::detect::graph
