// EXPECT_RACE_FREE(f), for GoogleTest: checks one closure, in a test program that is compiled with `anyorder
// c++`.
//
//   TEST(Sums, HaveNoRace) {
//     EXPECT_RACE_FREE([] { sum_in_parallel(); });
//   }
//
// The test program runs again under `anyorder check`, up to the end of the closure: what the test does before
// is done there, too, and other closures are left out. The closure is run in a finish. The failure's message
// is the report. If all of the program is being checked anyway, the closure just runs.
//
// Contract: from the thread that runs the test. ASSERT_RACE_FREE ends the test if it fails.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "anyorder/finish.hpp"

namespace anyorder::detail {

inline constexpr const char* kClosureVariable = "ANYORDER_CLOSURE";

// "Suite.Test/line": one closure of one test.
inline std::string name_of_closure(int line) {
  const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return {};
  return std::string(test->test_suite_name()) + "." + test->name() + "/" + std::to_string(line);
}

inline std::string in_quotes(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// The program under `anyorder check`, which libanyorder starts.
inline testing::AssertionResult check_closure(const std::string& closure) {
  std::array<char, 4096> buffer{};
  const ssize_t length = ::readlink("/proc/self/exe", buffer.data(), buffer.size() - 1);
  if (length < 0) return testing::AssertionFailure() << "/proc/self/exe cannot be read";
  const std::string program(buffer.data(), static_cast<std::size_t>(length));
  const std::string command =
      std::string("ANYORDER_DETECTOR=\"${ANYORDER_DETECTOR:-dtrg}\" ") + kClosureVariable + "=" +
      in_quotes(closure) + " " + in_quotes(program) +
      " --gtest_color=no --gtest_filter=" + in_quotes(closure.substr(0, closure.rfind('/'))) +
      " 2>&1 >/dev/null";
  std::fflush(nullptr);
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return testing::AssertionFailure() << "no process can be started";
  std::string report;
  for (std::size_t count = 0; (count = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    report.append(buffer.data(), count);
  }
  const int status = ::pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "anyorder check:\n" << report;
}

template <class F>
testing::AssertionResult race_free(F&& f, int line) {
  const char* const wanted = std::getenv(kClosureVariable);
  const std::string closure = name_of_closure(line);
  if (wanted != nullptr) {
    if (closure != wanted) return testing::AssertionSuccess();
    finish(std::forward<F>(f));
    std::fflush(nullptr);
    ::_exit(0);
  }
  if (std::getenv("ANYORDER_RECORD") != nullptr) {
    finish(std::forward<F>(f));
    return testing::AssertionSuccess();
  }
  if (closure.empty()) return testing::AssertionFailure() << "RACE_FREE is for the body of a test";
  return check_closure(closure);
}

}  // namespace anyorder::detail

#define EXPECT_RACE_FREE(...) EXPECT_TRUE(::anyorder::detail::race_free(__VA_ARGS__, __LINE__))
#define ASSERT_RACE_FREE(...) ASSERT_TRUE(::anyorder::detail::race_free(__VA_ARGS__, __LINE__))
