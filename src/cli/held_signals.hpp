// Keeps the signals that end a command from ending this one, until it has done what it has to.
#pragma once

#include <signal.h>

namespace anyorder::cli {

// Contract: made and destroyed on the main thread of a process without others; at most one at a time.
// While it lives, SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGCHLD are blocked, to be taken by sigtimedwait, and
// SIGPIPE and SIGXFSZ are ignored: a report that cannot be written is an error. Those of them that were
// ignored stay so. At the end what came meanwhile is dropped.
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();

  [[nodiscard]] const sigset_t& held() const { return held_; }
  // For a forked child, before it runs another program: all is as it was.
  void restore() const;

 private:
  sigset_t held_{};
  sigset_t mask_before_{};
  struct sigaction child_before_ {};
  struct sigaction pipe_before_ {};
  struct sigaction size_before_ {};
};

}  // namespace anyorder::cli
