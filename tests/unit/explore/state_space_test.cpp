// The search when its runs are elsewhere: several errands at a time, told of in any order, as bytes; and the
// search that was put into a file and goes on from there.
#include "explore/state_space.hpp"

#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "brute_force.hpp"
#include "explore/channel.hpp"
#include "explore/shared_states.hpp"
#include "explore/wire.hpp"
#include "modelled_program.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::exploring {
namespace {

using model::Block;

constexpr std::size_t kPrograms = ANYORDER_ASAN ? 60 : 600;

// What a process would answer to the order.
std::string account_of(const Block& program, const std::string& order_bytes, const KnownStates& known) {
  const Order order = order_in(order_bytes);
  model::ModelledProgram modelled(program);
  Run run;
  Guide guide(run, modelled, order.errand, known, order.most_sections);
  modelled.run(guide);
  Account account;
  account.trail = guide.take_trail();
  Learnt learnt;
  run.teach(learnt);
  ByteWriter out;
  write(out, learnt);
  account.learnt = std::move(out.bytes);
  return to_bytes(account);
}

class Elsewhere {
 public:
  Elsewhere(const Block& program, std::uint64_t seed) : program_(program), random_(seed) {}

  // Stops after so many runs, or when it is over.
  void go(StateSpace& states, std::uint64_t most_runs) {
    for (const Node& node : states.nodes()) known_.add(node.state);
    std::vector<UnderWay> under_way;
    while (states.runs() < most_runs) {
      while (under_way.size() < 4) {
        auto given = states.next();
        if (!given) break;
        const std::string order = to_bytes(Order{given->errand, 1000, false});
        under_way.push_back({std::move(*given), account_of(program_, order, known_)});
      }
      if (under_way.empty()) return;
      const auto chosen = under_way.begin() + static_cast<std::ptrdiff_t>(random_() % under_way.size());
      Account account = account_in(chosen->account);
      ByteReader learnt(account.learnt);
      read_learnt(learnt, states.learnt());
      const std::size_t before = states.nodes().size();
      states.accept(chosen->given, std::move(account.trail));
      for (std::size_t i = before; i != states.nodes().size(); ++i) known_.add(states.nodes()[i].state);
      under_way.erase(chosen);
    }
    for (const UnderWay& left : under_way) states.give_up(left.given);
  }

 private:
  struct UnderWay {
    StateSpace::Given given;
    std::string account;
  };
  const Block& program_;
  std::mt19937_64 random_;
  SharedStates known_;
};

void expect_right(const StateSpace& states, const model::Truth& truth, std::uint64_t seed,
                  const Block& program) {
  ASSERT_TRUE(states.over());
  const Result result = states.result();
  const bool right = result.answer == Answer::race ? truth.race
                     : result.answer == Answer::deadlock
                         ? truth.deadlock
                         : result.answer == Answer::proved && !truth.race && !truth.deadlock;
  ASSERT_TRUE(right) << "seed " << seed << ": answer " << static_cast<int>(result.answer) << "\n"
                     << to_text(program);
}

template <class Each>
void for_programs(Each each) {
  std::size_t tried = 0;
  for (std::uint64_t seed = 1; tried != kPrograms && !testing::Test::HasFatalFailure(); ++seed) {
    const Block program = model::Generator(seed, {true, true}).program();
    const auto truth = model::BruteForce::of(program, 20'000);
    if (!truth) continue;
    ++tried;
    each(program, *truth, seed);
  }
}

TEST(StateSpace, ErrandsMayBeUnderWayTogether) {
  for_programs([](const Block& program, const model::Truth& truth, std::uint64_t seed) {
    StateSpace states(Reduction::persistent);
    Elsewhere(program, seed).go(states, UINT64_MAX);
    expect_right(states, truth, seed, program);
  });
}

TEST(StateSpace, GoesOnFromWhatWasSaved) {
  std::size_t resumed = 0;
  for_programs([&](const Block& program, const model::Truth& truth, std::uint64_t seed) {
    std::string saved;
    for (std::uint64_t runs = 2;; runs += 2) {
      StateSpace states(Reduction::persistent);
      if (!saved.empty()) states.restore(saved);
      Elsewhere(program, seed + runs).go(states, runs);
      if (states.over()) {
        expect_right(states, truth, seed, program);
        return;
      }
      ++resumed;
      saved = states.saved();
    }
  });
  EXPECT_GT(resumed, kPrograms / 4);
}

TEST(StateSpace, DamagedFilesAreNoticed) {
  Block program(4, {model::Op::async, 0, 0, {{model::Op::isolated, 0, 0, {{model::Op::write, 0, 1}}}}});
  StateSpace states(Reduction::persistent);
  Elsewhere(program, 1).go(states, 3);
  const std::string saved = states.saved();
  EXPECT_NO_THROW(StateSpace(Reduction::persistent).restore(saved));
  for (std::size_t length = 0; length != saved.size(); ++length) {
    EXPECT_THROW(StateSpace(Reduction::persistent).restore(saved.substr(0, length)), std::runtime_error)
        << length;
  }
  EXPECT_THROW(StateSpace(Reduction::persistent).restore(saved + "x"), std::runtime_error);
  // Any other byte may be wrong, too: it is noticed, or the file is another one that could be.
  for (std::size_t i = 0; i != saved.size(); ++i) {
    std::string other = saved;
    other[i] = static_cast<char>(other[i] ^ 0x41);
    try {
      StateSpace(Reduction::persistent).restore(other);
    } catch (const std::runtime_error&) {
      continue;
    }
  }
}

TEST(SharedStates, AreKnownThroughTheDescriptor) {
  SharedStates ours;
  const SharedStates theirs(dup(ours.descriptor()));
  const std::vector<Digest> all{{0, 1}, {0, 2}, {1, 1}, {7, 7}};
  for (const Digest& state : all) {
    EXPECT_FALSE(theirs.contains(state));
    ours.add(state);
    EXPECT_TRUE(theirs.contains(state));
  }
  EXPECT_FALSE(theirs.contains({7, 8}));
}

TEST(Channel, MessagesComeOutWholeAndInOrder) {
  std::string stream;
  EXPECT_FALSE(take_message(stream));
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  ASSERT_TRUE(send(ends[0], Message::Kind::account, "first"));
  ASSERT_TRUE(send(ends[0], Message::Kind::ended, ""));
  ASSERT_TRUE(send(ends[0], Message::Kind::begun, "third"));
  close(ends[0]);
  const auto first = receive(ends[1]);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->kind, Message::Kind::account);
  EXPECT_EQ(first->text, "first");
  for (char byte = 0; recv(ends[1], &byte, 1, 0) == 1;) stream += byte;
  EXPECT_FALSE(receive(ends[1]));
  close(ends[1]);
  std::string cut = stream.substr(0, 3);
  EXPECT_FALSE(take_message(cut));
  EXPECT_EQ(take_message(stream)->kind, Message::Kind::ended);
  cut = stream.substr(0, stream.size() - 1);
  EXPECT_FALSE(take_message(cut));
  EXPECT_EQ(take_message(stream)->text, "third");
  EXPECT_TRUE(stream.empty());
}

}  // namespace
}  // namespace anyorder::exploring
