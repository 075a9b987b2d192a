// Random programs that get each other's futures through shared variables: each run ends, and a get throws
// only if its task was on a cycle.

#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "executors.hpp"

namespace {

struct Body;
struct Statement {
  enum class Kind { async, future, finish, get } kind;
  int number = 0;  // of the task that is created, or whose future is got
  std::unique_ptr<Body> body;
};
struct Body {
  std::vector<Statement> statements;
};

struct Program {
  Body main;
  int tasks = 0;
};

// Tasks are numbered in serial order. Without cycles a task gets only futures that have ended in that order:
// such waits lead backwards, as do those at the ends of finishes.
class Generator {
 public:
  Generator(std::uint64_t seed, bool cycles) : random_(seed), cycles_(cycles) {}

  Program make() {
    Program program;
    most_ = 3 + below(12);
    fill(program.main, 0);
    program.tasks = tasks_;
    resolve(program.main);
    return program;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

  void fill(Body& body, int depth) {
    const int statements = 1 + below(5);
    for (int i = 0; i != statements; ++i) {
      const int what = below(10);
      if (what < 5 && tasks_ < most_ && depth < 5) {
        const int number = tasks_++;
        Statement made{what < 4 ? Statement::Kind::future : Statement::Kind::async, number,
                       std::make_unique<Body>()};
        fill(*made.body, depth + 1);
        if (what < 4) ended_.push_back(number);
        body.statements.push_back(std::move(made));
      } else if (what < 6 && depth < 5) {
        Statement made{Statement::Kind::finish, 0, std::make_unique<Body>()};
        fill(*made.body, depth + 1);
        body.statements.push_back(std::move(made));
      } else if (cycles_) {
        body.statements.push_back({Statement::Kind::get, -1, nullptr});
      } else if (!ended_.empty()) {
        const auto target = ended_[static_cast<std::size_t>(below(static_cast<int>(ended_.size())))];
        body.statements.push_back({Statement::Kind::get, target, nullptr});
      }
    }
  }
  // With cycles any task will do.
  void resolve(Body& body) {
    for (Statement& statement : body.statements) {
      if (statement.number < 0) statement.number = tasks_ == 0 ? 0 : below(tasks_);
      if (statement.body != nullptr) resolve(*statement.body);
    }
  }

  std::mt19937_64 random_;
  bool cycles_;
  int most_ = 0;
  int tasks_ = 0;
  std::vector<int> ended_;
};

// One run. What waits is written down by the program itself, before each wait and after it.
class ProgramRun {
 public:
  explicit ProgramRun(const Program& program)
      : tasks_(static_cast<std::size_t>(program.tasks) + 1), main_(program.main) {}

  void operator()() {
    const int root = static_cast<int>(tasks_.size()) - 1;
    ao::finish([&] { run(main_, root, root); });
    for (Task& task : tasks_) task.handle = {};
  }
  [[nodiscard]] int refused() const { return refused_; }
  [[nodiscard]] int wrongly_refused() const { return wrongly_refused_; }

 private:
  struct Task {
    ao::future<void> handle;
    int waits_for = -1;    // a task
    int ends_finish = -1;  // the number of a finish
    int joined_by = -1;    // the number of a finish
    bool was_refused = false;
  };

  void run(const Body& body, int self, int finish) {
    for (const Statement& statement : body.statements) {
      switch (statement.kind) {
        case Statement::Kind::async:
        case Statement::Kind::future: {
          {
            const std::lock_guard lock(mutex_);
            at(statement.number).joined_by = finish;
          }
          const Body& inner = *statement.body;
          const auto task = [this, &inner, number = statement.number, finish] { run(inner, number, finish); };
          if (statement.kind == Statement::Kind::async) {
            ao::async(task);
          } else {
            const ao::future<void> handle = ao::async_future(task);
            const std::lock_guard lock(mutex_);
            at(statement.number).handle = handle;
          }
          break;
        }
        case Statement::Kind::finish: {
          const int opened = next_finish_.fetch_add(1);
          ao::finish([&] {
            run(*statement.body, self, opened);
            const std::lock_guard lock(mutex_);
            at(self).ends_finish = opened;
          });
          const std::lock_guard lock(mutex_);
          at(self).ends_finish = -1;
          break;
        }
        case Statement::Kind::get:
          get(self, statement.number);
          break;
      }
    }
  }

  void get(int self, int target) {
    ao::future<void> handle;
    {
      const std::lock_guard lock(mutex_);
      handle = at(target).handle;
      if (!handle.valid()) return;
      at(self).waits_for = target;
    }
    try {
      handle.get();
    } catch (const ao::deadlock_error&) {
      const std::lock_guard lock(mutex_);
      ++refused_;
      at(self).was_refused = true;
      if (!is_on_cycle(self)) ++wrongly_refused_;
    }
    const std::lock_guard lock(mutex_);
    at(self).waits_for = -1;
  }

  // The others of the cycle stand still as long as this task has not gone on, unless they were refused as
  // well.
  bool is_on_cycle(int self) {
    std::vector<int> open{at(self).waits_for};
    std::vector<char> seen(tasks_.size());
    while (!open.empty()) {
      const int task = open.back();
      open.pop_back();
      if (task == self) return true;
      if (std::exchange(seen[static_cast<std::size_t>(task)], 1) != 0) continue;
      if (at(task).was_refused) return true;
      if (at(task).waits_for >= 0) open.push_back(at(task).waits_for);
      if (at(task).ends_finish >= 0) {
        for (std::size_t i = 0; i != tasks_.size(); ++i) {
          if (tasks_[i].joined_by == at(task).ends_finish) open.push_back(static_cast<int>(i));
        }
      }
    }
    return false;
  }

  Task& at(int number) { return tasks_[static_cast<std::size_t>(number)]; }

  std::mutex mutex_;  // guards all below
  std::vector<Task> tasks_;
  const Body& main_;
  std::atomic<int> next_finish_{1'000'000};
  int refused_ = 0;
  int wrongly_refused_ = 0;
};

struct Case {
  const char* name;
  ao::options options;
};
void PrintTo(const Case& tested, std::ostream* out) { *out << tested.name; }

class JoinCycles : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    before_ = ao::configuration();
    ao::configure(GetParam().options);
  }
  void TearDown() override { ao::configure(before_); }

  static std::uint64_t first_seed() {
    return static_cast<std::uint64_t>(::testing::UnitTest::GetInstance()->random_seed()) * kPrograms;
  }
  static constexpr std::uint64_t kPrograms = 100 / kFewer;
  static constexpr int kRuns = 20;

 private:
  ao::options before_;
};
INSTANTIATE_TEST_SUITE_P(
    Under, JoinCycles,
    ::testing::Values(Case{"known_2", {ao::executor::parallel, 2, 0, ao::join_policy::known}},
                      Case{"known_8", {ao::executor::parallel, 8, 0, ao::join_policy::known}},
                      Case{"known_vc_8", {ao::executor::parallel, 8, 0, ao::join_policy::known_vc}},
                      Case{"cycle_2", {ao::executor::parallel, 2, 0, ao::join_policy::cycle}},
                      Case{"cycle_8", {ao::executor::parallel, 8, 0, ao::join_policy::cycle}}),
    [](const auto& tested) { return std::string(tested.param.name); });

// More of both: --gtest_filter='*JoinCycles*' --gtest_shuffle --gtest_repeat=100
TEST_P(JoinCycles, EndByExceptionsOfTasksOnThem) {
  int refused = 0;
  for (std::uint64_t i = 0; i != kPrograms; ++i) {
    const Program program = Generator(first_seed() + i, true).make();
    for (int round = 0; round != kRuns; ++round) {
      ProgramRun run(program);
      run();
      refused += run.refused();
      ASSERT_EQ(run.wrongly_refused(), 0) << "seed " << first_seed() + i;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST_P(JoinCycles, WithoutThemNothingIsThrown) {
  for (std::uint64_t i = 0; i != kPrograms; ++i) {
    const Program program = Generator(first_seed() + i, false).make();
    for (int round = 0; round != kRuns; ++round) {
      ProgramRun run(program);
      run();
      ASSERT_EQ(run.refused(), 0) << "seed " << first_seed() + i;
    }
  }
}

}  // namespace
