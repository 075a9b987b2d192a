// The executors that every test of the API runs on, and a fixture that puts one of them in force.
#pragma once

#include <gtest/gtest.h>
#include <ostream>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

// ThreadSanitizer has room for 65,536 frames on a stack, and dies beyond.
#if defined(__SANITIZE_THREAD__)
#define ANYORDER_FEW_FRAMES 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ANYORDER_FEW_FRAMES 1
#elif __has_feature(address_sanitizer)
#define ANYORDER_SLOW 1
#endif
#endif
#ifdef ANYORDER_FEW_FRAMES
#define ANYORDER_SLOW 1
inline constexpr int kDeep = 1000;
#else
inline constexpr int kDeep = 100'000;
#endif
// Of random programs sanitizers get fewer.
#ifdef ANYORDER_SLOW
inline constexpr int kFewer = 12;
#else
inline constexpr int kFewer = 1;
#endif

struct Executor {
  const char* name;
  ao::options options;
};

inline void PrintTo(const Executor& executor, std::ostream* out) { *out << executor.name; }

inline const Executor kSerial{"serial", {ao::executor::serial, 1, 0}};
inline const Executor kParallel1{"parallel_1", {ao::executor::parallel, 1, 0}};
inline const Executor kParallel2{"parallel_2", {ao::executor::parallel, 2, 0}};
inline const Executor kParallel8{"parallel_8", {ao::executor::parallel, 8, 0}};
// Under join policies.
inline const Executor kKnown2{"known_2", {ao::executor::parallel, 2, 0, ao::join_policy::known}};
inline const Executor kCycle8{"cycle_8", {ao::executor::parallel, 8, 0, ao::join_policy::cycle}};

// Whatever a test leaves in force, the next one starts with its own executor; at the end the first one is
// restored.
class OnEachExecutor : public ::testing::TestWithParam<Executor> {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // the pool's threads do not survive a fork
    before_ = ao::configuration();
    ao::configure(GetParam().options);
  }
  void TearDown() override { ao::configure(before_); }

  static bool serial() { return GetParam().options.run == ao::executor::serial; }

 private:
  ao::options before_;
};

// Makes a suite of that name which runs on each of the given executors.
#define ANYORDER_ON_EXECUTORS(suite, ...)                             \
  class suite : public OnEachExecutor {};                             \
  INSTANTIATE_TEST_SUITE_P(On, suite, ::testing::Values(__VA_ARGS__), \
                           [](const auto& executor) { return std::string(executor.param.name); })
#define ANYORDER_ON_EACH_EXECUTOR(suite) \
  ANYORDER_ON_EXECUTORS(suite, kSerial, kParallel1, kParallel2, kParallel8, kKnown2, kCycle8)
