// Context: switching back and forth, across threads, with exceptions under way.

#include "support/context.hpp"

#include <cstdint>
#include <exception>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/stack_memory.hpp"

namespace anyorder::support {
namespace {

void nothing(void* /*argument*/) {}

// A coroutine of two contexts: `outside` is whoever resumes it.
struct Routine : StackMemory, Context {
  using Body = void (*)(Routine&);
  explicit Routine(Body b) : StackMemory(std::size_t{256} << 10), Context(low(), bytes(), &enter), body(b) {}

  static void enter(Context& self) {
    auto& routine = static_cast<Routine&>(self);
    routine.body(routine);
    routine.over = true;
    routine.yield();
    std::abort();
  }
  void resume() {
    const StackBounds bounds = own_stack();
    Context here(bounds.low, bounds.bytes);
    outside = &here;
    Context::switch_to(here, *this, &nothing, nullptr);
  }
  void yield() { Context::switch_to(*this, *outside, &nothing, nullptr); }

  Body body;
  Context* outside = nullptr;
  bool over = false;
  std::vector<int> log;
};

TEST(Context, ACallCanGoToAnotherStackAndBack) {
  if (!Context::kCallsOnStacks) GTEST_SKIP() << "switched to instead";
  const StackMemory stack(std::size_t{256} << 10);
  struct Seen {
    const char* frame = nullptr;
    bool caught = false;
  };
  for (int i = 0; i != 3; ++i) {
    Seen seen;
    Context::call_on(
        stack.high(),
        [](void* argument) {
          Seen& self = *static_cast<Seen*>(argument);
          self.frame = static_cast<const char*>(__builtin_frame_address(0));
          alignas(16) volatile char aligned[16] = {};
          EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned) % 16, 0U);
          try {
            throw std::runtime_error("on that stack");
          } catch (const std::exception&) {
            self.caught = true;
          }
        },
        &seen);
    EXPECT_TRUE(seen.caught);
    EXPECT_GE(seen.frame, stack.low());
    EXPECT_LT(seen.frame, stack.high());
  }
}

TEST(Context, SwitchesBackAndForth) {
  Routine routine([](Routine& self) {
    for (int i = 0; i != 5; ++i) {
      self.log.push_back(i);
      self.yield();
    }
  });
  for (int i = 0; i != 5; ++i) {
    EXPECT_EQ(routine.log.size(), static_cast<std::size_t>(i));
    routine.resume();
  }
  EXPECT_FALSE(routine.over);
  routine.resume();
  EXPECT_TRUE(routine.over);
  EXPECT_EQ(routine.log, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(Context, CallsAfterOnTheOtherStack) {
  struct Seen {
    const Routine* routine;
    bool on_its_stack = false;
  };
  Routine routine([](Routine& self) { self.log.push_back(1); });
  Seen seen{&routine};
  const StackBounds bounds = own_stack();
  Context here(bounds.low, bounds.bytes);
  routine.outside = &here;
  Context::switch_to(
      here, routine,
      [](void* argument) {
        auto& s = *static_cast<Seen*>(argument);
        const char* const at = static_cast<const char*>(__builtin_frame_address(0));
        s.on_its_stack = s.routine->log.empty() && at >= s.routine->low() && at < s.routine->high();
      },
      &seen);
  EXPECT_TRUE(seen.on_its_stack);
  EXPECT_TRUE(routine.over);
}

TEST(Context, KeepsTheExceptionsBeingHandledApart) {
  Routine routine([](Routine& self) {
    self.log.push_back(std::current_exception() == nullptr ? 1 : -1);
    try {
      throw std::string("inside");
    } catch (const std::string&) {
      self.yield();
      try {
        throw;
      } catch (const std::string& again) {
        self.log.push_back(again == "inside" ? 2 : -2);
      }
    }
    self.log.push_back(std::current_exception() == nullptr ? 3 : -3);
  });
  try {
    throw std::string("outside");
  } catch (const std::string& caught) {
    routine.resume();
    try {
      throw;
    } catch (const std::string& again) {
      EXPECT_EQ(again, "outside");
      EXPECT_EQ(&again, &caught);
    }
  }
  EXPECT_EQ(std::current_exception(), nullptr);
  routine.resume();
  EXPECT_EQ(routine.log, (std::vector<int>{1, 2, 3}));
}

TEST(Context, TakesItsExceptionsToAnotherThread) {
  Routine routine([](Routine& self) {
    struct Yields {
      Routine* routine;
      ~Yields() {
        routine->log.push_back(std::uncaught_exceptions());
        routine->yield();
        routine->log.push_back(std::uncaught_exceptions());
      }
    };
    try {
      const Yields yields{&self};
      throw 5;
    } catch (int thrown) {
      self.log.push_back(thrown);
      self.yield();
      try {
        throw;
      } catch (int again) {
        self.log.push_back(again + 1);
      }
    }
    self.log.push_back(std::uncaught_exceptions());
  });
  routine.resume();
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  std::thread([&] {
    routine.resume();
    EXPECT_EQ(std::uncaught_exceptions(), 0);
    EXPECT_EQ(std::current_exception(), nullptr);
  }).join();
  std::thread([&] { routine.resume(); }).join();
  EXPECT_TRUE(routine.over);
  EXPECT_EQ(routine.log, (std::vector<int>{1, 1, 5, 6, 0}));
}

TEST(Context, KeepsALotOnItsStack) {
  Routine routine([](Routine& self) {
    volatile char frame[100'000];
    for (std::size_t i = 0; i != sizeof(frame); ++i) frame[i] = static_cast<char>(i);
    self.yield();
    int wrong = 0;
    for (std::size_t i = 0; i != sizeof(frame); ++i) wrong += frame[i] != static_cast<char>(i) ? 1 : 0;
    self.log.push_back(wrong);
  });
  routine.resume();
  routine.resume();
  EXPECT_EQ(routine.log, (std::vector<int>{0}));
}

}  // namespace
}  // namespace anyorder::support
