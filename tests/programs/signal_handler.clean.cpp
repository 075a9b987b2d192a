// A signal handler runs in the middle of a task, but what it does is not the task's: it is not checked.
#include <csignal>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

volatile std::sig_atomic_t last_signal = 0;

int main() {
  std::signal(SIGUSR1, [](int signal) { last_signal = signal; });
  ao::finish([] {
    ao::async([] { std::raise(SIGUSR1); });
    ao::async([] { std::raise(SIGUSR1); });
  });
  return last_signal == SIGUSR1 ? 0 : 1;
}
