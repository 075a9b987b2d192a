// Ways for a program that uses the library to end. The first argument names the scenario; what each has to
// print and to end with stands in CMakeLists.txt.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <oneapi/tbb/parallel_for.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <utility>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

namespace {

void say(const char* text) {
  std::puts(text);
  std::fflush(stdout);
}

void dawdle() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

// Made before the first use of the library, and so destroyed after the end of main's.
struct EarlyStatic {
  ~EarlyStatic() {
    if (scenario_is("static_use")) {
      std::atomic<int> x{0};
      ao::finish([&] {
        ao::async([&] { ++x; });
        ao::forasync(0, 10, [&](int /*i*/) { ++x; });
      });
      const auto f = ao::async_future([] { return 2; });
      x += f.get();
      ao::isolated([&] { ++x; });
      say(x == 14 ? "early static: right" : "early static: wrong");
    }
    if (scenario_is("static_async")) ao::async([] { say("task of a static destructor"); });
    if (scenario_is("static_nested")) {
      ao::async([] { ao::async([] { say("task of a task"); }); });
      std::atomic<int> x{0};
      ao::forasync(0, 100'000, [&](int /*i*/) { ++x; });
      ao::async([&] {
        const auto f = ao::async_future([] { return 1; });
        x += f.get();
      });
      say(x == 100'001 ? "early static: joined" : "early static: not joined");
    }
    if (scenario_is("tasks_at_return")) say("early static destroyed");
  }
  static bool scenario_is(const char* name) { return std::strcmp(chosen, name) == 0; }
  static inline const char* chosen = "";
};
EarlyStatic early;

struct LateStatic {
  ~LateStatic() { say("late static destroyed"); }
};

struct Node {
  ao::future<Node> next;
};
constexpr int kChain = 200'000;  // unrolled on the stack it would take more than there is
ao::future<Node> kept_chain;     // destroyed after the library's use by main has ended

// Each task is inside the one before it.
struct Nest {
  std::size_t left;
  void operator()() const {
    std::array<volatile char, 64> frame{};
    frame[0] = 1;
    if (left != 0) ao::async(Nest{left - 1});
    frame[1] = frame[0];
  }
};

int run(const std::string& name) {
  if (name == "untaken_async") {
    ao::async([] { throw std::runtime_error("nobody wants me"); });  // LINE untaken_async
    return 0;
  }
  if (name == "untaken_future") {
    ao::async_future([]() -> int { throw std::runtime_error("nobody wants me"); });  // LINE untaken_future
    return 0;
  }
  if (name == "untaken_in_thread") {
    std::thread([] {
      ao::async([] { throw std::runtime_error("nobody wants me"); });  // LINE untaken_in_thread
    }).join();
    return 0;
  }
  if (name == "taken_future") {
    const auto f = ao::async_future([]() -> int { throw std::runtime_error("taken"); });
    try {
      static_cast<void>(f.get());
    } catch (const std::runtime_error&) {
      say("caught");
    }
    return 3;
  }
  if (name == "nothing") {
    ao::finish([] { ao::async([] {}); });
    say("done");
    return 0;
  }
  if (name == "unused") {
    say("the library was not used");
    return 0;
  }
  if (name == "deep_nesting") {
    ao::finish([] { ao::async(Nest{10'000'000}); });
    say("no overflow");
    return 0;
  }
  if (name == "no_address_space") {
    const rlimit little{std::size_t{512} << 20, std::size_t{512} << 20};
    setrlimit(RLIMIT_AS, &little);
    ao::finish([] { ao::async([] {}); });
    say("there was some");
    return 0;
  }
  if (name == "deep_recursion") {
    struct Recursion {
      static std::size_t down(std::size_t n) {
        std::array<volatile char, 1024> frame{};
        frame[n % 1024] = 1;
        return n == 0 ? 0 : down(n - 1) + static_cast<std::size_t>(frame[n % 1024]);
      }
    };
    ao::finish([] {
      // Two, so that one of them does not run on the thread's own stack; the other one waits for it.
      std::atomic<bool> elsewhere{false};
      const auto main_thread = std::this_thread::get_id();
      const auto body = [&, main_thread] {
        if (std::this_thread::get_id() != main_thread) {
          elsewhere = true;
          std::printf("%zu\n", Recursion::down(100'000'000));
        }
        while (!elsewhere) std::this_thread::yield();
        dawdle();
      };
      ao::finish([&] {
        ao::async(body);
        ao::async(body);
      });
    });
    return 0;
  }
  if (name == "own_fault") {
    ao::finish([] {
      ao::async([] {
        volatile int* nowhere = nullptr;
        *nowhere = 1;  // NOLINT
      });
    });
    return 0;
  }
  if (name == "tasks_at_return") {
    static LateStatic late;
    ao::async([] {
      dawdle();
      ao::async([] {
        dawdle();
        say("task of a task");
      });
      say("task");
    });
    static LateStatic later;
    return 0;
  }
  if (name == "static_use" || name == "static_async" || name == "static_nested") {
    ao::finish([] { ao::async([] {}); });
    say("main returns");
    return 0;
  }
  if (name == "static_chain") {
    ao::finish([] {
      auto head = ao::async_future([] { return Node{}; });
      for (int i = 0; i != kChain; ++i) {
        head.get();
        head = ao::async_future([next = std::move(head)] { return Node{next}; });
      }
      kept_chain = std::move(head);
    });
    say("main returns");
    return 0;
  }
  if (name == "exit_in_task") {
    ao::finish([] {
      ao::async([] {
        say("leaving");
        std::exit(7);  // NOLINT(concurrency-mt-unsafe)
      });
    });
    say("not reached");
    return 0;
  }
  if (name == "exit_in_nested_task") {
    for (int i = 0; i != 20; ++i) ao::async([] { dawdle(); });
    ao::finish([] {
      ao::async([] {
        ao::finish([] {
          const auto f = ao::async_future([] {
            say("leaving");
            std::exit(7);  // NOLINT(concurrency-mt-unsafe)
          });
          f.get();
        });
      });
    });
    return 0;
  }
  if (name == "exit_in_finish") {
    ao::finish([] {
      ao::async([] { dawdle(); });
      say("leaving");
      std::exit(7);  // NOLINT(concurrency-mt-unsafe)
    });
    return 0;
  }
  if (name == "exit_in_thread") {
    ao::async([] { dawdle(); });
    std::thread([] {
      ao::async([] { dawdle(); });
      say("leaving");
      std::exit(7);  // NOLINT(concurrency-mt-unsafe)
    }).join();
    return 0;
  }
  if (name == "exit_in_isolated") {
    ao::isolated([] {
      say("leaving");
      std::exit(7);  // NOLINT(concurrency-mt-unsafe)
    });
  }
  if (name == "exit_in_thread_of_onetbb") {
    // Whoever lends itself to the pool later has used the library before, by itself.
    tbb::parallel_for(0, 1000, [](int /*i*/) { ao::finish([] { ao::async([] {}); }); });
    const auto main_thread = std::this_thread::get_id();
    ao::async([main_thread] {
      if (std::this_thread::get_id() == main_thread) return;
      try {
        ao::configure({});
        say("configured inside a task");
      } catch (const ao::usage_error& /*error*/) {
        say("leaving");
      }
      std::exit(7);  // NOLINT(concurrency-mt-unsafe)
    });
    for (;;) dawdle();
  }
  if (name == "thread_local_use") {
    std::thread([] {
      struct Late {
        ~Late() {
          std::atomic<int> x{0};
          ao::finish([&] { ao::async([&] { ++x; }); });
          say(x == 1 ? "thread local: right" : "thread local: wrong");
          ao::async([] {
            dawdle();
            say("thread local: joined");
          });
        }
      };
      static thread_local Late late;  // made before the thread's first use: destroyed after its end
      static_cast<void>(late);
      ao::finish([] { ao::async([] {}); });
    }).join();
    say("thread joined");
    return 0;
  }
  std::fprintf(stderr, "no such scenario: %s\n", name.c_str());
  return 99;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 99;
  EarlyStatic::chosen = argv[1];
  return run(argv[1]);
}
