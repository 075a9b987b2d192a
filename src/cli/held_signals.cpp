#include "cli/held_signals.hpp"

#include <cerrno>
#include <initializer_list>

namespace anyorder::cli {

HeldSignals::HeldSignals() {
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  // Were it ignored, as it may be inherited, the kernel would keep the child's end from us.
  ::sigaction(SIGCHLD, &plain, &child_before_);
  struct sigaction ignoring {};
  ignoring.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignoring, &pipe_before_);
  ::sigaction(SIGXFSZ, &ignoring, &size_before_);

  ::sigemptyset(&held_);
  ::sigaddset(&held_, SIGCHLD);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction now {};
    ::sigaction(signal, nullptr, &now);
    // Blocked, it would be kept for us although nobody wants it: nohup, or a job in the background.
    if (now.sa_handler != SIG_IGN) ::sigaddset(&held_, signal);
  }
  ::sigprocmask(SIG_BLOCK, &held_, &mask_before_);
}

HeldSignals::~HeldSignals() {
  const timespec at_once{};
  while (::sigtimedwait(&held_, nullptr, &at_once) > 0 || errno == EINTR) {
  }
  restore();
}

void HeldSignals::restore() const {
  ::sigaction(SIGCHLD, &child_before_, nullptr);
  ::sigaction(SIGPIPE, &pipe_before_, nullptr);
  ::sigaction(SIGXFSZ, &size_before_, nullptr);
  ::sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

}  // namespace anyorder::cli
