#include "cli/child.hpp"

#include <chrono>
#include <functional>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "cli/exit_code.hpp"
#include "scratch.hpp"

namespace anyorder::cli {
namespace {

ChildEnd run_shell(const std::string& script) {
  const HeldSignals signals;
  return run_child("/bin/sh", {"sh", "-c", script}, {"PATH=/usr/bin:/bin"}, signals);
}

// Runs the script below a process of its own, which gets the signals; each once `scratch` has the file
// "ready". That process ends with the script's exit code, or with 200 + the signal.
int with_signals(const Scratch& scratch, const std::string& script, std::initializer_list<int> signals) {
  const pid_t waiting = ::fork();
  if (waiting == 0) {
    ::setpgid(0, 0);
    const auto end = run_shell("echo > " + (scratch / "ready").string() + ".new; " + script);
    ::_exit(end.signal != 0 ? 200 + end.signal : end.exit_code + (end.interrupted ? 100 : 0));
  }
  for (const int signal : signals) {
    while (!std::filesystem::exists(scratch / "ready"))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::filesystem::remove(scratch / "ready");
    ::kill(waiting, signal);
  }
  int status = 0;
  ::waitpid(waiting, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// A script that says it is ready, then waits; `on_signal` are trap commands.
std::string waiting_script(const Scratch& scratch, const std::string& traps) {
  return traps + "; : > " + (scratch / "ready").string() + "; while :; do sleep 0.02; done";
}

TEST(Child, ExitCode) {
  const auto end = run_shell("exit 7");
  EXPECT_EQ(end.exit_code, 7);
  EXPECT_EQ(end.signal, 0);
  EXPECT_FALSE(end.interrupted);
  EXPECT_GT(end.peak_bytes, 100'000U);
  EXPECT_GT(end.seconds, 0);
}

TEST(Child, Signal) { EXPECT_EQ(run_shell("kill -SEGV $$").signal, SIGSEGV); }

TEST(Child, EnvironmentAndSignalsAreAsTold) {
  EXPECT_EQ(run_shell("test \"$(env | grep -c -v -e ^PATH= -e ^PWD= -e ^_= -e ^SHLVL=)\" = 0").exit_code, 0);
  EXPECT_EQ(run_shell("kill -TERM $$; exit 0").signal, SIGTERM);  // not blocked in the program
}

TEST(Child, WhatCannotBeRunIsAnError) {
  const Scratch scratch;
  const auto text = scratch.write("text", "no program");
  std::filesystem::permissions(text, std::filesystem::perms::owner_all);
  const HeldSignals signals;
  EXPECT_THROW(static_cast<void>(run_child(text, {"text"}, {}, signals)), UsageError);
}

TEST(Child, ASignalToTheParentAloneIsPassedOn) {
  const Scratch scratch;
  EXPECT_EQ(with_signals(scratch, waiting_script(scratch, "trap 'exit 7' TERM"), {SIGTERM}), 7);
}

TEST(Child, AProgramThatEndsAtSigintIsInterrupted) {
  const Scratch scratch;
  EXPECT_EQ(with_signals(scratch, waiting_script(scratch, "trap 'exit 7' INT"), {SIGINT}), 107);
}

TEST(Child, TheSecondSigintKills) {
  const Scratch scratch;
  const auto ready = ": > " + (scratch / "ready").string();
  EXPECT_EQ(with_signals(scratch, waiting_script(scratch, "trap '" + ready + "' INT"), {SIGINT, SIGINT}),
            200 + SIGKILL);
}

}  // namespace
}  // namespace anyorder::cli
