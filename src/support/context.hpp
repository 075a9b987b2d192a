// A point of execution on some native stack, saved while another one runs.
//
// The switch itself is Boost.Context's; this adds what C++ and the sanitizers keep per stack: the exceptions
// being handled (a task may wait inside a catch block and go on on another thread), AddressSanitizer's fake
// stack and ThreadSanitizer's fiber. Contexts that are dropped are not unwound: only drop one that stands in
// a frame with nothing to destroy.
#pragma once

#include <cstddef>

#include "support/sanitizers.hpp"

namespace anyorder::support {

// What a stack knows of exceptions: those being handled, and how many are in flight. The layout is that of
// the Itanium ABI's __cxa_eh_globals.
struct ExceptionState {
  void* caught = nullptr;
  unsigned uncaught = 0;

  // Of the calling thread. Never inlined: __cxa_get_globals is declared const, and its answer from before a
  // switch may be another thread's.
  [[gnu::noinline]] static ExceptionState get() noexcept;
  [[gnu::noinline]] void set() const noexcept;
};

// While it lives, the code on this stack sees no exception of the code below it.
class NoExceptionsInFlight {
 public:
  NoExceptionsInFlight() noexcept : below_(ExceptionState::get()) {
    if (any()) ExceptionState{}.set();
  }
  ~NoExceptionsInFlight() {
    if (any()) below_.set();
  }
  NoExceptionsInFlight(const NoExceptionsInFlight&) = delete;
  NoExceptionsInFlight& operator=(const NoExceptionsInFlight&) = delete;

 private:
  bool any() const noexcept { return below_.caught != nullptr || below_.uncaught != 0; }
  const ExceptionState below_;
};

class Context {
 public:
  using Entry = void (*)(Context& self);  // must never return
  using After = void (*)(void* argument);

  // Of the calling thread's own stack, with the given bounds.
  Context(const char* low, std::size_t bytes) noexcept;
  // Of a new stack; the first switch to it calls entry.
  Context(char* low, std::size_t bytes, Entry entry) noexcept;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  // Saves the running point, which must belong to `from`, and goes on with `to`. On to's stack, before
  // anything else, after(argument) is called: from then on another thread may resume `from`. The caller
  // returns when somebody switches back, maybe on another thread.
  static void switch_to(Context& from, Context& to, After after, void* argument) noexcept;

  // Whether a call can go to another stack and come back like any other. Sanitizers want to hear of the
  // switch.
#if defined(__x86_64__) && !ANYORDER_ASAN && !ANYORDER_TSAN
  static constexpr bool kCallsOnStacks = true;
#else
  static constexpr bool kCallsOnStacks = false;
#endif
  // Calls f(argument) on the stack below `high`, which is aligned to 16 and not in use, and returns when that
  // has. Eight instructions, where two switches take 140; callers are found through it as through any call.
  static void call_on(char* high, void (*f)(void* argument), void* argument) noexcept;

 private:
  struct Transfer;
  static void arrive(Context& self, void* transfer, void* saved_point) noexcept;
  template <class BoostTransfer>
  static void begin(BoostTransfer transfer) noexcept;

  void* point_ = nullptr;  // null while it runs
  ExceptionState exceptions_;
  Entry entry_ = nullptr;
  // For the sanitizers; unused without them.
  const void* low_;
  std::size_t bytes_;
  void* fake_stack_ = nullptr;
  void* fiber_ = nullptr;
  bool owns_fiber_ = false;
};

}  // namespace anyorder::support
