// The controlled executor by itself: every order that a director asks for, and nothing else, happens.
#include "runtime/controlled.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace anyorder::runtime {
namespace {

// Answers with the given indexes, then with 0; notes how many there were to choose from.
class Script final : public Director {
 public:
  explicit Script(std::vector<std::size_t> answers) : answers_(std::move(answers)) {}

  std::optional<std::size_t> next(std::span<const Standing> standing) override {
    choices.push_back(standing.size());
    if (standing.empty()) return std::nullopt;
    return choices.size() <= answers_.size() ? answers_[choices.size() - 1] : 0;
  }

  std::vector<std::size_t> choices;

 private:
  std::vector<std::size_t> answers_;
};

template <class F>
Controlled::Ending run(Controlled& executor, Director& director, F f) {
  auto body = [&f] { finish(f); };
  using Body = detail::AsyncTask<decltype(body)>;
  return executor.run(detail::new_task<Body>(detail::TaskKind::async, source_site::current(), body),
                      director);
}

// Calls each(script) for every order that there is.
template <class Each>
int for_every_order(Each each) {
  std::vector<std::size_t> answers;
  for (int orders = 1;; ++orders) {
    Script script(answers);
    each(script);
    answers.resize(script.choices.size());
    while (!answers.empty() && answers.back() + 1 >= script.choices[answers.size() - 1]) answers.pop_back();
    if (answers.empty()) return orders;
    ++answers.back();
  }
}

TEST(Controlled, RunsWithoutSectionsAskNobody) {
  Controlled executor;
  Script script({});
  int sum = 0;
  EXPECT_EQ(run(executor, script,
                [&] {
                  const future<int> one = async_future([] { return 1; });
                  const future<int> two = async_future([one] { return one.get() + 1; });
                  finish([&] { async([&] { sum = two.get(); }); });
                  sum *= 10;
                }),
            Controlled::Ending::complete);
  EXPECT_EQ(sum, 20);
  EXPECT_TRUE(script.choices.empty());
}

TEST(Controlled, EveryOrderOfThreeSectionsIsReached) {
  Controlled executor;
  std::set<std::string> seen;
  const int orders = for_every_order([&](Script& script) {
    std::string order;
    run(executor, script, [&] {
      for (const char name : {'a', 'b', 'c'}) async([&order, name] { isolated([&] { order += name; }); });
    });
    seen.insert(order);
  });
  EXPECT_EQ(orders, 6);
  EXPECT_EQ(seen, (std::set<std::string>{"abc", "acb", "bac", "bca", "cab", "cba"}));
}

TEST(Controlled, LoopsHaveATaskPerIndex) {
  Controlled executor;
  std::set<std::vector<int>> seen;
  EXPECT_EQ(for_every_order([&](Script& script) {
              std::vector<int> order;
              run(executor, script,
                  [&] { forall(0, 3, [&](int i) { isolated([&] { order.push_back(i); }); }); });
              seen.insert(order);
            }),
            6);
  EXPECT_EQ(seen.size(), 6U);
}

TEST(Controlled, TheSameAnswersGiveTheSameRun) {
  Controlled executor;
  std::set<std::pair<std::string, std::vector<const void*>>> seen;
  for (int i = 0; i != 3; ++i) {
    Script script({1, 2, 0, 1});
    std::string order;
    std::vector<const void*> locals;
    run(executor, script, [&] {
      for (const char name : {'a', 'b', 'c'}) {
        async([&, name] {
          const int local = 0;
          locals.push_back(&local);
          isolated([&] { order += name; });
          async([&, name] { isolated([&] { order += static_cast<char>(name + 1); }); });
        });
      }
    });
    seen.emplace(order, locals);
  }
  EXPECT_EQ(seen.size(), 1U) << "orders, or addresses of locals";
}

TEST(Controlled, StacksOfTasksAreTheSameInEveryOrder) {
  Controlled executor;
  std::vector<std::set<const void*>> places(3);
  for_every_order([&](Script& script) {
    run(executor, script, [&] {
      forall(0, 3, [&](int i) {
        isolated([] {});
        async([&, i] {
          const int local = 0;
          places[static_cast<std::size_t>(i)].insert(&local);
        });
      });
    });
  });
  for (const auto& places_of_one : places) EXPECT_EQ(places_of_one.size(), 1U);
}

TEST(Controlled, WhatWaitsForItselfIsAbandoned) {
  Controlled executor;
  future<void> handle;
  Script script({});
  EXPECT_EQ(run(executor, script,
                [&] {
                  handle = async_future([&] {
                    isolated([] {});
                    handle.get();
                  });
                }),
            Controlled::Ending::abandoned);
  EXPECT_EQ(script.choices, (std::vector<std::size_t>{1, 0}));
  static auto* const kept = new future<void>(std::move(handle));  // the task holds it for ever
  EXPECT_TRUE(kept->valid());
  EXPECT_EQ(run(executor, script, [] { async([] {}); }), Controlled::Ending::complete);
}

TEST(Controlled, ExceptionsGoWhereTheyGoOtherwise) {
  Controlled executor;
  std::string caught;
  Script script({});
  run(executor, script, [&] {
    const future<int> failing = async_future([]() -> int {
      isolated([] {});
      throw std::runtime_error("future");
    });
    try {
      failing.get();
    } catch (const std::runtime_error& error) {
      caught += error.what();
    }
    try {
      finish([] { async([] { isolated([] { throw std::runtime_error(" section"); }); }); });
    } catch (const std::runtime_error& error) {
      caught += error.what();
    }
  });
  EXPECT_EQ(caught, "future section");
  EXPECT_THROW(run(executor, script, [] { throw std::runtime_error("out of the run"); }), std::runtime_error);
  EXPECT_EQ(run(executor, script, [] {}), Controlled::Ending::complete);
}

TEST(Controlled, SectionsMayNotCreateOrWaitForTasks) {
  Controlled executor;
  int refused = 0;
  const auto expect_refused = [&](auto operation) {
    Script script({});
    run(executor, script, [&] {
      isolated([&] {
        try {
          operation();
        } catch (const usage_error&) {
          ++refused;
        }
      });
    });
  };
  const future<int> handle = async_future([] { return 1; });
  expect_refused([] { async([] {}); });
  expect_refused([] { finish([] {}); });
  expect_refused([] { isolated([] {}); });
  expect_refused([&] { handle.get(); });
  EXPECT_EQ(refused, 4);
}

TEST(Controlled, ManyTasksAtOnceAndOneAfterAnother) {
  Controlled executor;
  Script script({});
  int count = 0;
  run(executor, script, [&] {
    forall(0, 1000, [&](int) { isolated([&] { ++count; }); });
    forall(0, 20000, [&](int) { ++count; });
  });
  EXPECT_EQ(count, 21000);
}

}  // namespace
}  // namespace anyorder::runtime
