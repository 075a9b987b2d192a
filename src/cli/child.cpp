#include "cli/child.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/exit_code.hpp"
#include "cli/words.hpp"

namespace anyorder::cli {
namespace {

// A program that ends at Ctrl-C has done so by then.
constexpr timespec kPatience{1, 0};

// What is done about signals while the program runs.
class Waiting {
 public:
  Waiting(pid_t child, const HeldSignals& signals) : child_(child), held_(signals.held()) {}

  // Until the child has ended: its status and what it used.
  int until_end(rusage& usage) {
    for (;;) {
      siginfo_t info{};
      const int signal = ::sigtimedwait(&held_, &info, watching_ ? &kPatience : nullptr);
      if (signal == SIGCHLD) {
        int status = 0;
        if (::wait4(child_, &status, WNOHANG, &usage) == child_) return status;
      } else if (signal > 0) {
        take(signal, info);
      } else if (errno == EAGAIN) {
        watching_ = false;
        std::fputs("anyorder: waiting for the program; press Ctrl-C again to kill it\n", stderr);
      }
    }
  }

  [[nodiscard]] bool interrupted() const { return interrupts_ != 0; }

 private:
  void take(int signal, const siginfo_t& info) {
    const bool from_terminal = info.si_code > 0;  // the kernel's codes are positive
    if (signal == SIGINT && ++interrupts_ > 1) {
      ::kill(child_, SIGKILL);
      return;
    }
    if (!from_terminal) ::kill(child_, signal);
    if (signal == SIGINT) watching_ = true;
  }

  pid_t child_;
  sigset_t held_;
  int interrupts_ = 0;
  bool watching_ = false;  // for a program that goes on after the first SIGINT
};

}  // namespace

int start_child(const std::filesystem::path& program, const std::vector<std::string>& words,
                const std::vector<std::string>& environment, const HeldSignals& signals, Output output) {
  // A pipe that a successful exec closes carries the reason otherwise.
  const auto argv = pointers_to(words);
  const auto envp = pointers_to(environment);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw EnvironmentError("There are no file descriptors left.");
  const pid_t child = ::fork();
  if (child == 0) {
    signals.restore();
    if (output == Output::dropped) {
      const int nowhere = ::open("/dev/null", O_WRONLY);
      ::dup2(nowhere, STDOUT_FILENO);
      ::dup2(nowhere, STDERR_FILENO);
    }
    ::execve(program.c_str(), argv.data(), envp.data());
    const int reason = errno;
    static_cast<void>(::write(ends[1], &reason, sizeof reason));
    ::_exit(kExitInternal);
  }
  const int fork_reason = errno;
  ::close(ends[1]);
  int reason = 0;
  const bool failed = child > 0 && ::read(ends[0], &reason, sizeof reason) == sizeof reason;
  ::close(ends[0]);
  if (child < 0) {
    throw EnvironmentError(std::string("No process can be started: ") + std::strerror(fork_reason) + ".");
  }
  if (failed) {
    ::waitpid(child, nullptr, 0);
    std::string fix;
    if (reason == ENOEXEC) fix = " A script needs a first line such as #!/bin/sh.";
    if (reason == ENOENT) fix = " The interpreter or the loader that it names is missing.";
    throw UsageError(program.string() + " cannot be run: " + std::strerror(reason) + "." + fix);
  }
  return child;
}

ChildEnd run_child(const std::filesystem::path& program, const std::vector<std::string>& words,
                   const std::vector<std::string>& environment, const HeldSignals& signals, Output output) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const pid_t child = start_child(program, words, environment, signals, output);
  Waiting waiting(child, signals);
  rusage usage{};
  const int status = waiting.until_end(usage);

  ChildEnd end;
  end.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  end.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  end.interrupted = waiting.interrupted();
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.exit_code = WEXITSTATUS(status);
  }
  return end;
}

}  // namespace anyorder::cli
