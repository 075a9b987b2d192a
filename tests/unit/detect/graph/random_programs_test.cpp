// Random programs: the oracle against all schedules of each, its two ways of deciding against each other, and
// other orders of the events against the serial one.
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "machine.hpp"
#include "run.hpp"

namespace anyorder::detect::graph {
namespace {

using Bytes = std::set<std::size_t>;

class Generator {
 public:
  Generator(unsigned seed, bool with_isolated) : random_(seed), with_isolated_(with_isolated) {}

  Program program(int statements) {
    budget_ = statements;
    return body(0);
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

  Program body(int depth) {
    Program program;
    while (budget_ > 0) {
      --budget_;
      program.push_back(statement(depth));
      if (depth > 0 && below(3) == 0) break;
    }
    return program;
  }
  Statement statement(int depth) {
    switch (depth < 4 ? below(with_isolated_ ? 9 : 7) : below(3)) {
      case 0:
        return read(below(2));
      case 1:
        return write(below(2));
      case 2:
        return get(below(handles_ + 1));
      case 3:
        return async(body(depth + 1));
      case 4:
        return finish(body(depth + 1));
      case 5:
      case 6: {
        const int handle = handles_++;
        return future(handle, body(depth + 1));
      }
      default:
        return isolated(below(3) == 0 ? Program{} : Program{below(2) == 0 ? read(below(2)) : write(below(2))},
                        below(3));
    }
  }

  std::mt19937 random_;  // the same numbers everywhere, unlike the standard distributions
  bool with_isolated_;
  int budget_ = 0;
  int handles_ = 0;
};

Bytes racy_in(const findings::FindingSet& findings) {
  Bytes bytes;
  for (const auto& group : findings.snapshot().races) {
    for (const auto& race : group.races) {
      for (std::uint64_t i = 0; i < race.size; ++i) bytes.insert(race.address - kMemory + i);
    }
  }
  return bytes;
}

Bytes decided(const Graph& graph, Judgement judgement) {
  Bytes bytes;
  for (const Conflict& conflict : graph.decide()) {
    if (conflict.judgement != judgement) continue;
    for (std::uintptr_t at = conflict.begin; at < conflict.end; ++at) bytes.insert(at - kMemory);
  }
  return bytes;
}

Bytes not_clean(const Graph& graph) {
  Bytes bytes = decided(graph, Judgement::race);
  bytes.merge(decided(graph, Judgement::undecided));
  return bytes;
}

// The events of one random schedule of the program.
void run_in_any_order(const Machine& machine, unsigned seed, Graph& graph) {
  std::mt19937 random(seed);
  std::vector<void*> tasks(machine.task_count());
  std::vector<void*> finishes(machine.finish_count());
  const char objects[3] = {};
  const events::SourceSite at{"program.cpp", "program", 1};
  graph.root_begun(tasks[0], finishes[0]);
  Machine::State state = machine.start();
  for (;;) {
    std::vector<std::size_t> able;
    for (std::size_t task = 0; task < machine.task_count(); ++task) {
      if (machine.can_move(state, task, SectionOrder::any)) able.push_back(task);
    }
    if (able.empty()) break;
    const std::size_t task = able[random() % able.size()];
    const Instruction instruction = *machine.next(state, task);
    const std::size_t number = instruction.number;
    const bool on_section = instruction.action == Action::enter || instruction.action == Action::leave;
    const int named = on_section ? machine.object_of(number) : 0;
    const void* const object = &objects[named];
    const auto section_objects = std::span(&object, named == 0 ? 0 : 1);
    switch (instruction.action) {
      case Action::read:
        graph.read(tasks[task], kMemory + number, 1, 1);
        break;
      case Action::write:
        graph.write(tasks[task], kMemory + number, 1, 2);
        break;
      case Action::create:
        graph.task_created(tasks[task], tasks[number], finishes[machine.finish_of(number)],
                           machine.is_future(number) ? events::TaskKind::future : events::TaskKind::async,
                           at);
        break;
      case Action::open:
        graph.finish_begun(tasks[task], finishes[number], at);
        break;
      case Action::close:
        graph.finish_ended(tasks[task], finishes[number]);
        break;
      case Action::get:
        graph.get_ended(tasks[task], tasks[number], at);
        break;
      case Action::enter:
        graph.isolated_entered(tasks[task], section_objects, at);
        break;
      case Action::leave:
        graph.isolated_left(tasks[task], section_objects);
        break;
    }
    const Machine::State after = machine.move(state, task);
    // A task may end with this move, and one without instructions at its creation.
    for (std::size_t moved = 1; moved < machine.task_count(); ++moved) {
      if (machine.has_ended(after, moved) && !machine.has_ended(state, moved)) graph.task_ended(tasks[moved]);
    }
    state = after;
  }
  graph.root_ended(tasks[0], finishes[0]);
}

TEST(RandomPrograms, RaceWhereSomeScheduleDoes) {
  int racy = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    const Program program = Generator(seed, false).program(11);
    const Checked checked(program);
    const Bytes expected = Machine(program).racy_bytes(SectionOrder::any);
    ASSERT_EQ(racy_in(checked.findings), expected) << "seed " << seed << ": " << to_string(program);
    ASSERT_EQ(decided(checked.detector, Judgement::race), expected) << "seed " << seed;
    ASSERT_EQ(checked.verdict(), expected.empty() ? findings::Verdict::clean : findings::Verdict::race);
    racy += expected.empty() ? 0 : 1;
  }
  // Both answers are put to the test.
  EXPECT_GT(racy, 500);
  EXPECT_LT(racy, 3500);
}

TEST(RandomPrograms, WithIsolatedRaceInThisOrderOrAreUndecided) {
  int unknown = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    const Program program = Generator(seed, true).program(11);
    const Checked checked(program);
    const Machine machine(program);
    const Bytes in_this_order = machine.racy_bytes(SectionOrder::serial);
    ASSERT_EQ(racy_in(checked.findings), in_this_order) << "seed " << seed << ": " << to_string(program);
    ASSERT_EQ(decided(checked.detector, Judgement::race), in_this_order) << "seed " << seed;
    // What this program does does not depend on values, so that every undecided pair races in some order.
    const Bytes in_some_order = not_clean(checked.detector);
    ASSERT_EQ(in_some_order, machine.racy_bytes(SectionOrder::any))
        << "seed " << seed << ": " << to_string(program);
    const bool is_unknown = in_this_order.empty() && !in_some_order.empty();
    ASSERT_EQ(checked.verdict() == findings::Verdict::unknown, is_unknown) << "seed " << seed;
    unknown += is_unknown ? 1 : 0;
  }
  EXPECT_GT(unknown, 50);
}

TEST(RandomPrograms, HaveTheSameRacesInEveryOrderOfTheEvents) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const Program program = Generator(seed, seed % 2 == 1).program(25);
    const Checked checked(program);
    const Machine machine(program);
    for (unsigned schedule = 0; schedule < 2; ++schedule) {
      findings::FindingSet findings;
      Graph graph(findings);
      run_in_any_order(machine, schedule, graph);
      ASSERT_EQ(decided(graph, Judgement::race), racy_in(findings)) << "seed " << seed;
      // Which of the two a pair is hangs on the order of the sections; that it is one of them does not.
      ASSERT_EQ(not_clean(graph), not_clean(checked.detector))
          << "seed " << seed << ": " << to_string(program);
    }
  }
}

}  // namespace
}  // namespace anyorder::detect::graph
