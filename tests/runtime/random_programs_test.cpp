// Random programs over the whole API: the parallel executor computes what the serial one does.
//
// A program is a function of its seed. Handles are passed on by capture, by result and in containers, so that
// gets form no cycle; what tasks add to a finish's sum is added in any order.
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "executors.hpp"

namespace {

using Value = std::uint64_t;

Value mix(Value a, Value b) {
  a ^= b + 0x9E3779B97F4A7C15U + (a << 6U) + (a >> 2U);
  a *= 0xBF58476D1CE4E5B9U;
  return a ^ (a >> 29U);
}

struct Thrown {
  Value value;
};

// What a task may touch: the sum of its finish, one counter for all, and the handles it was given.
struct Node {
  Value value = 0;
  std::vector<ao::future<Node>> made;  // handles that travel in a result
};
using Handles = std::vector<ao::future<Node>>;
using Sum = std::atomic<Value>;

class Program {
 public:
  explicit Program(Value seed) : seed_(seed) {}

  Value run() {
    Sum sum{0};
    Value value = 0;
    ao::finish([&] { value = body(seed_, kDepth, {}, sum).value; });
    return mix(mix(value, sum), counter_);
  }

 private:
  static constexpr int kDepth = 5;
  static constexpr std::size_t kMostHandles = 8;

  static void keep(Handles& handles, const ao::future<Node>& handle, Value random) {
    if (handles.size() < kMostHandles) {
      handles.push_back(handle);
    } else {
      handles[random % kMostHandles] = handle;
    }
  }

  Node body(Value seed, int depth, Handles handles, Sum& sum) {
    Node node{seed, {}};
    const Value statements = depth == 0 ? 2 : 2 + seed % 5;
    for (Value i = 0; i != statements; ++i) {
      statement(mix(seed, i), depth, handles, sum, node);
    }
    if (!handles.empty() && seed % 3 == 0) node.made.push_back(handles[seed % handles.size()]);
    return node;
  }

  void statement(Value random, int depth, Handles& handles, Sum& sum, Node& node) {
    const Value choice = random % 16;
    const Value seed = mix(random, 1);
    if (choice < 3) {
      if (handles.empty()) return;
      const Node& got = handles[seed % handles.size()].get();
      node.value = mix(node.value, got.value);
      for (const auto& handle : got.made) keep(handles, handle, seed);
    } else if (choice < 5) {
      ao::isolated([&] { counter_ += seed; });
    } else if (choice < 6) {
      if (seed % 4 == 0) std::this_thread::yield();
    } else if (depth == 0) {
      node.value = mix(node.value, seed);
    } else if (choice < 8) {
      ao::async([this, seed, depth, handles, &sum] { sum += body(seed, depth - 1, handles, sum).value; });
    } else if (choice < 11) {
      keep(handles, ao::async_future([this, seed, depth, handles, &sum] {
             return body(seed, depth - 1, handles, sum);
           }),
           seed);
    } else if (choice < 13) {
      Sum inner{0};
      ao::finish([&] { node.value = mix(node.value, body(seed, depth - 1, handles, inner).value); });
      node.value = mix(node.value, inner);
    } else if (choice < 14) {
      std::array<Value, 7> values{};
      Sum inner{0};
      ao::forall(0, seed % 8,
                 [&](Value i) { values[i] = body(mix(seed, i), depth / 2, handles, inner).value; });
      for (const Value v : values) node.value = mix(node.value, v);
      node.value = mix(node.value, inner);
    } else if (choice < 15) {
      throwing(seed, depth, handles, node);
    } else {
      ao::forasync(0, 3, [this, seed, depth, handles, &sum](int i) {
        sum += body(mix(seed, static_cast<Value>(i)), depth / 2, handles, sum).value;
      });
    }
  }

  // A finish in which one task throws, and a get that waits inside the handler.
  void throwing(Value seed, int depth, const Handles& handles, Node& node) {
    Sum inner{0};
    try {
      ao::finish([&] {
        ao::async(
            [this, seed, depth, handles, &inner] { inner += body(seed, depth - 1, handles, inner).value; });
        ao::async([seed] { throw Thrown{seed}; });
      });
    } catch (const Thrown& thrown) {
      const auto late = ao::async_future([seed] {
        if (std::current_exception() != nullptr) return Value{0};
        return mix(seed, 2);
      });
      node.value = mix(node.value, late.get());
      node.value = mix(node.value, thrown.value);
    }
    node.value = mix(node.value, inner);
  }

  const Value seed_;
  Value counter_ = 0;  // in isolated sections, until the end
};

ANYORDER_ON_EXECUTORS(RandomPrograms, kParallel1, kParallel2, kParallel8);

TEST_P(RandomPrograms, GiveWhatTheSerialExecutorGives) {
  const char* const wanted = std::getenv("ANYORDER_RANDOM_PROGRAMS");  // a longer run, from the command line
  const Value programs = wanted == nullptr ? 300 / kFewer : std::strtoull(wanted, nullptr, 10);
  std::vector<Value> serial(programs);
  ao::configure(kSerial.options);
  for (Value seed = 0; seed != programs; ++seed) serial[seed] = Program(mix(seed, 7)).run();
  ao::configure(GetParam().options);
  for (Value seed = 0; seed != programs; ++seed) {
    ASSERT_EQ(Program(mix(seed, 7)).run(), serial[seed]) << "seed " << seed;
  }
}

}  // namespace
