// The search against brute force on random programs, and on those that show what each part of it is for.
#include "explore/search.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "brute_force.hpp"
#include "modelled_program.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::exploring {
namespace {

using model::Block;
using model::Op;
using model::Statement;

Statement read(unsigned v) { return {Op::read, v}; }
Statement write(unsigned v, unsigned n = 1) { return {Op::write, v, n}; }
Statement async(Block body) { return {Op::async, 0, 0, std::move(body)}; }
Statement isolated(Block body, unsigned objects = 0) { return {Op::isolated, 0, objects, std::move(body)}; }
Statement increment(unsigned v) { return isolated({read(v), write(v)}); }

Result explored(const Block& program, Reduction reduction = Reduction::persistent, Omitted omitted = {}) {
  model::ModelledProgram modelled(program);
  return Search(modelled, reduction, {}, omitted).go();
}
bool races(const Block& program) { return model::BruteForce::of(program, 1'000'000)->race; }

std::size_t programs_to_try() {
  const char* const wanted = std::getenv("ANYORDER_RANDOM_PROGRAMS");
  if (wanted != nullptr) return std::stoul(wanted);
  return ANYORDER_ASAN ? 100 : 1500;
}

struct Kind {
  const char* name;
  model::Shape shape;
};

class RandomPrograms : public testing::TestWithParam<Kind> {};

TEST_P(RandomPrograms, GetTheVerdictOfBruteForce) {
  std::size_t compared = 0, racy = 0, stuck = 0;
  std::uint64_t runs_of_all = 0, runs = 0;
  for (std::uint64_t seed = 1; compared < programs_to_try(); ++seed) {
    const Block program = model::Generator(seed, GetParam().shape).program();
    const auto truth = model::BruteForce::of(program, 20'000);
    if (!truth) continue;
    ++compared;
    racy += truth->race ? 1 : 0;
    stuck += truth->deadlock ? 1 : 0;
    for (const Reduction reduction : {Reduction::none, Reduction::persistent}) {
      const Result result = explored(program, reduction);
      const bool right = result.answer == Answer::race ? truth->race
                         : result.answer == Answer::deadlock
                             ? truth->deadlock
                             : result.answer == Answer::proved && !truth->race && !truth->deadlock;
      ASSERT_TRUE(right) << "seed " << seed << (reduction == Reduction::none ? " in all orders" : " reduced")
                         << ": answer " << static_cast<int>(result.answer) << ", but race " << truth->race
                         << " deadlock " << truth->deadlock << "\n"
                         << to_text(program);
      (reduction == Reduction::none ? runs_of_all : runs) += result.runs;
    }
  }
  std::cout << compared << " programs, " << racy << " with a race, " << stuck << " with a deadlock; "
            << runs_of_all << " runs of all orders, " << runs << " with persistent sets\n";
  EXPECT_GT(racy, compared / 20);
  EXPECT_LT(racy, compared * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Explore, RandomPrograms,
                         testing::Values(Kind{"async", {false, false}}, Kind{"futures", {true, false}},
                                         Kind{"objects", {false, true}}, Kind{"all", {true, true}},
                                         Kind{"regions", {false, false, 24, 5, true}},
                                         Kind{"regions_and_all", {true, true, 24, 5, true}}),
                         [](const auto& test) { return test.param.name; });

// All states in which every task stands, by every order of sections, without the search: by what the machine
// holds.
struct AllOrders {
  std::set<std::string> states;
  std::uint64_t choices = 0;
  std::uint64_t orders = 0;

  void visit(model::Machine machine) {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t i = 0; i != machine.tasks.size(); ++i) {
        while (machine.front(i).kind == model::Front::local ||
               machine.front(i).kind == model::Front::access) {
          machine.step(i);
          moved = true;
        }
      }
    }
    if (machine.all_ended()) {
      ++orders;
      return;
    }
    std::vector<std::size_t> standing;
    std::string state;
    for (const std::uint64_t value : machine.memory) state += std::to_string(value) + ",";
    for (std::size_t i = 0; i != machine.tasks.size(); ++i) {
      if (machine.front(i).kind == model::Front::enter) standing.push_back(i);
      // What an ended task has seen is gone.
      if (machine.tasks[i].ended) continue;
      state += std::to_string(machine.tasks[i].lineage) + "," + std::to_string(machine.tasks[i].reg) + ";";
    }
    if (states.insert(state).second) choices += standing.size();
    for (const std::size_t chosen : standing) {
      model::Machine next = machine;
      do next.step(chosen);
      while (next.tasks[chosen].section.entered);
      visit(std::move(next));
    }
  }
};

// Tasks of one section each, that the search has to execute in every order up to states that are the same: as
// many runs as choices, less those by which a run goes on in a state that is new.
TEST(Search, StatesAndRunsAreThoseOfAllOrders) {
  for (unsigned tasks = 1; tasks != 6; ++tasks) {
    const std::vector<Block> programs{
        Block(tasks, async({increment(0)})),
        Block(tasks, async({isolated({read(0), write(0), read(1), write(1)})})),
    };
    for (const Block& program : programs) {
      AllOrders all;
      all.visit(model::Machine(program));
      std::uint64_t factorial = 1;
      for (unsigned i = 2; i <= tasks; ++i) factorial *= i;
      EXPECT_EQ(all.orders, factorial);
      for (const Reduction reduction : {Reduction::none, Reduction::persistent}) {
        const Result result = explored(program, reduction);
        EXPECT_EQ(result.answer, Answer::proved);
        EXPECT_EQ(result.states, all.states.size() + 1) << to_text(program);
        EXPECT_EQ(result.runs, all.choices - all.states.size() + 1) << to_text(program);
      }
    }
  }
}

TEST(Search, CountersOfTenTasks) {
  const Block ten(10, async({increment(0)}));
  const Result result = explored(ten);
  EXPECT_EQ(result.answer, Answer::proved);
  EXPECT_EQ(result.states, 1024U);
  EXPECT_EQ(result.runs, 4098U);
}

TEST(Search, TasksWithoutConflictsHaveOneOrder) {
  Block program;
  for (unsigned i = 0; i != 3; ++i) program.push_back(async({increment(i)}));
  const Result result = explored(program);
  EXPECT_EQ(result.answer, Answer::proved);
  EXPECT_EQ(result.states, 4U);
  EXPECT_EQ(result.runs, 1U);
  EXPECT_EQ(explored(program, Reduction::none).states, 8U);
}

// A race that one order has and another has not: Figure 1 of the paper.
TEST(Search, FigureOne) {
  const Block program{write(0, 0),
                      {Op::finish, 0, 0, {async({isolated({}), write(0, 2)}), isolated({write(0)})}}};
  ASSERT_TRUE(races(program));
  const Result result = explored(program);
  EXPECT_EQ(result.answer, Answer::race);
}

// The programs by which unsound searches are known (inc: isolated{a=c; c=a+1}): each has a race.
TEST(Search, RacesThatUnsoundSearchesMiss) {
  const std::vector<Block> all{
      {async({isolated({}), isolated({write(0)}), write(1)}), write(1, 2), isolated({read(0)})},
      {async({write(0, 2), isolated({})}), async({isolated({}), write(0, 2)})},
      {async({write(0), isolated({})}), async({isolated({}), write(0, 2)})},
      {async({isolated({}), isolated({}), write(0)}), read(0)},
      {async({read(1), isolated({}), isolated({write(0, 2)})}), async({isolated({write(1, 2), write(0)})})},
  };
  for (const Block& program : all) {
    EXPECT_TRUE(races(program)) << to_text(program);
    EXPECT_EQ(explored(program).answer, Answer::race) << to_text(program);
    EXPECT_EQ(explored(program, Reduction::none).answer, Answer::race) << to_text(program);
  }
}

// What waits for any one of several goes on although others of them stand still: its race is missed if it is
// taken for something that needs them all.
TEST(Search, AWaitForAnyOneNeedsNotAll) {
  const Block program = model::Generator(4472, {false, false, 24, 5, true}).program();
  ASSERT_TRUE(races(program));
  EXPECT_EQ(explored(program).answer, Answer::race) << to_text(program);
}

TEST(Search, ChoicesOfAwaitOne) {
  const auto post = [](Block body, Block handler = {}) {
    return Statement{Op::post, 0, 0, std::move(body), std::move(handler)};
  };
  const Statement one{Op::await_one};
  const Statement all{Op::await};
  const std::vector<Block> racy{
      {post({write(0)}), post({}), one, read(0), all},
      {post({write(0)}), post({isolated({})}), one, read(0), all},
      {post({post({write(0)})}), one, read(0), all},
      {post({}, {write(0)}), post({write(0)}), all},
  };
  for (const Block& program : racy) {
    EXPECT_TRUE(races(program)) << to_text(program);
    EXPECT_EQ(explored(program).answer, Answer::race) << to_text(program);
  }
  const std::vector<Block> clean{
      {post({write(0)}), post({}), one, one, read(0)},
      {post({write(0)}), post({}), all, read(0)},
      {post({write(0)}, {write(0)}), post({}), one, all, read(0)},
      // Delayed edges give a false alarm here.
      {post({post({}), read(0)}), one, write(0), all},
  };
  for (const Block& program : clean) {
    EXPECT_FALSE(races(program)) << to_text(program);
    EXPECT_EQ(explored(program).answer, Answer::proved) << to_text(program);
  }
}

struct LeftOut {
  const char* name;
  Omitted omitted;
  std::uint64_t first_seed;  // not far before one that shows it
  model::Shape shape{false, false};
};
class NothingMayBeLeftOut : public testing::TestWithParam<LeftOut> {};

// Each part of a state, and of a footprint, is needed: without it some racy program passes for proved.
TEST_P(NothingMayBeLeftOut, OrARaceIsMissed) {
  const LeftOut& left_out = GetParam();
  for (std::uint64_t seed = left_out.first_seed; seed != left_out.first_seed + 500; ++seed) {
    const Block program = model::Generator(seed, left_out.shape).program();
    if (explored(program, Reduction::persistent, left_out.omitted).answer != Answer::proved) continue;
    if (explored(program).answer == Answer::proved) continue;
    EXPECT_TRUE(races(program)) << to_text(program);
    return;
  }
  FAIL() << "no program shows it";
}

INSTANTIATE_TEST_SUITE_P(Explore, NothingMayBeLeftOut,
                         testing::Values(LeftOut{"section_entries", {.section_entries = true}, 1},
                                         LeftOut{"window", {.window = true}, 17'000},
                                         LeftOut{"before_section", {.before_section = true}, 1},
                                         LeftOut{
                                             "choices", {.choices = true}, 1, {false, false, 24, 5, true}}),
                         [](const auto& test) { return test.param.name; });

TEST(Search, ASectionOnOtherObjectsExcludesNothing) {
  EXPECT_EQ(explored({async({isolated({write(0)}, 1)}), async({isolated({write(0)}, 2)})}).answer,
            Answer::race);
  EXPECT_EQ(explored({async({isolated({write(0)}, 1)}), async({isolated({write(0)}, 3)})}).answer,
            Answer::proved);
  EXPECT_EQ(explored({async({isolated({write(0)}, 1)}), async({isolated({write(0)}, 0)})}).answer,
            Answer::proved);
}

}  // namespace
}  // namespace anyorder::exploring
