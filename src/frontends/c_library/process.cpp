// How a program ends, forks, handles signals, and does things once.

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <pthread.h>
#include <unistd.h>

#include "frontends/c_library/intercept.hpp"

using namespace anyorder::frontends::c_library;  // NOLINT(google-build-using-namespace): definitions only
                                                 // follow

namespace {

Hidden<void(int)> hidden_exit("exit");
Hidden<void(int)> hidden_underscore_exit("_exit");
Hidden<void(int)> hidden_quick_exit("quick_exit");
Hidden<void()> hidden_abort("abort");
Hidden<void(const char*, const char*, unsigned, const char*)> hidden_assert_fail("__assert_fail");
Hidden<int(pthread_once_t*, void (*)())> hidden_pthread_once("pthread_once");
Hidden<int(pthread_mutex_t*)> hidden_mutex_lock("pthread_mutex_lock");
Hidden<int(void*)> hidden_guard_acquire("__cxa_guard_acquire");
Hidden<void(void*)> hidden_guard_release("__cxa_guard_release");
Hidden<void(void*)> hidden_guard_abort("__cxa_guard_abort");
Hidden<int(int, const struct sigaction*, struct sigaction*)> hidden_sigaction("sigaction");
[[gnu::constructor(101)]] void find_process() {
  find_ahead(hidden_exit, hidden_underscore_exit, hidden_quick_exit, hidden_abort, hidden_assert_fail,
             hidden_pthread_once, hidden_mutex_lock, hidden_guard_acquire, hidden_guard_release,
             hidden_guard_abort, hidden_sigaction);
}

void program_ends() noexcept {
  if (auto* const to = listener()) to->ending();
}

void program_aborts() noexcept {
  if (auto* const to = listener()) to->aborting();
}

[[gnu::constructor]] void watch_forks() {
  pthread_atfork(
      nullptr,
      [] {
        if (auto* const to = listener()) to->forked(false);
      },
      [] {
        if (auto* const to = anyorder::events::attached_memory_listener) to->forked(true);
      });
}

// A signal handler runs in the middle of whatever its thread did: no task's accesses, and perhaps the tool's
// own critical section. So nothing is checked while it runs.
std::array<std::atomic<void (*)(int)>, NSIG> simple_handlers;
std::array<std::atomic<void (*)(int, siginfo_t*, void*)>, NSIG> detailed_handlers;

class InHandler {
 public:
  InHandler() noexcept : listener_(anyorder::events::attached_memory_listener) {
    if (listener_ != nullptr) interrupted_ = listener_->handler_begun();
  }
  ~InHandler() {
    if (listener_ != nullptr) listener_->handler_ended(interrupted_);
  }
  InHandler(const InHandler&) = delete;
  InHandler& operator=(const InHandler&) = delete;

 private:
  anyorder::events::MemoryListener* listener_;
  void* interrupted_ = nullptr;
};

void on_signal(int signal) {
  const InHandler in_handler;
  simple_handlers[static_cast<std::size_t>(signal)].load(std::memory_order_relaxed)(signal);
}
void on_detailed_signal(int signal, siginfo_t* info, void* context) {
  const InHandler in_handler;
  detailed_handlers[static_cast<std::size_t>(signal)].load(std::memory_order_relaxed)(signal, info, context);
}

bool is_function(void (*handler)(int)) noexcept {
  return handler != SIG_DFL && handler != SIG_IGN && handler != SIG_ERR;
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
ANYORDER_INTERCEPTED void exit(int status) {
  program_ends();
  hidden_exit(status);
  std::abort();
}
ANYORDER_INTERCEPTED void _exit(int status) {
  program_ends();
  hidden_underscore_exit(status);
  std::abort();
}
ANYORDER_INTERCEPTED void _Exit(int status) noexcept {
  program_ends();
  hidden_underscore_exit(status);
  std::abort();
}
ANYORDER_INTERCEPTED void quick_exit(int status) noexcept {
  program_ends();
  hidden_quick_exit(status);
  std::abort();
}

ANYORDER_INTERCEPTED void abort() noexcept {
  program_aborts();
  hidden_abort();
  __builtin_trap();
}
ANYORDER_INTERCEPTED void __assert_fail(const char* assertion, const char* file, unsigned line,
                                        const char* function) noexcept {
  program_aborts();
  hidden_assert_fail(assertion, file, line, function);
  __builtin_trap();
}

ANYORDER_INTERCEPTED int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (auto* const to = listener_for(ANYORDER_CALLER)) to->mutex_locked();
  return hidden_mutex_lock(mutex);
}
ANYORDER_INTERCEPTED int pthread_once(pthread_once_t* once, void (*function)()) {
  auto* const to = listener();
  if (to != nullptr) to->once_begun();
  const int result = hidden_pthread_once(once, function);
  if (to != nullptr) to->once_ended();
  return result;
}
ANYORDER_INTERCEPTED int __cxa_guard_acquire(void* guard) {
  const int mine = hidden_guard_acquire(guard);
  if (mine != 0) {
    if (auto* const to = listener()) to->once_begun();
  }
  return mine;
}
ANYORDER_INTERCEPTED void __cxa_guard_release(void* guard) noexcept {
  if (auto* const to = listener()) to->once_ended();
  hidden_guard_release(guard);
}
ANYORDER_INTERCEPTED void __cxa_guard_abort(void* guard) noexcept {
  if (auto* const to = listener()) to->once_ended();
  hidden_guard_abort(guard);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

ANYORDER_INTERCEPTED int sigaction(int signal, const struct sigaction* wanted,
                                   struct sigaction* previous) noexcept {
  if (signal <= 0 || signal >= NSIG) return hidden_sigaction(signal, wanted, previous);
  const auto index = static_cast<std::size_t>(signal);
  void (*const simple)(int) = simple_handlers[index].load(std::memory_order_relaxed);
  void (*const detailed)(int, siginfo_t*, void*) = detailed_handlers[index].load(std::memory_order_relaxed);
  struct sigaction installed {};
  if (wanted != nullptr) {
    installed = *wanted;
    if ((wanted->sa_flags & SA_SIGINFO) != 0) {
      if (is_function(wanted->sa_handler)) {
        detailed_handlers[index].store(wanted->sa_sigaction, std::memory_order_relaxed);
        installed.sa_sigaction = &on_detailed_signal;
      }
    } else if (is_function(wanted->sa_handler)) {
      simple_handlers[index].store(wanted->sa_handler, std::memory_order_relaxed);
      installed.sa_handler = &on_signal;
    }
  }
  const int result = hidden_sigaction(signal, wanted == nullptr ? nullptr : &installed, previous);
  if (previous != nullptr && result == 0) {
    if (previous->sa_handler == &on_signal) {
      previous->sa_handler = simple;
    } else if (previous->sa_sigaction == &on_detailed_signal) {
      previous->sa_sigaction = detailed;
    }
  }
  return result;
}
ANYORDER_INTERCEPTED sighandler_t signal(int number, sighandler_t handler) noexcept {
  struct sigaction wanted {};
  struct sigaction previous {};
  wanted.sa_handler = handler;
  wanted.sa_flags = SA_RESTART;
  sigemptyset(&wanted.sa_mask);
  return sigaction(number, &wanted, &previous) == 0 ? previous.sa_handler : SIG_ERR;
}
