// Races between accesses that are far from the start of their tasks.
#include <bit>
#include <string_view>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

namespace {

int shared = 0;
int results[2];
volatile int depth = 5000;

struct Writing {
  [[gnu::always_inline]] static void access(int& x) { shared = x; }
};
struct Reading {
  [[gnu::always_inline]] static void access(int& x) { x = shared; }
};

template <class Side, int kLeft>
[[gnu::always_inline]] inline void inlined(int& x);

// Every second call is inlined. Nothing is a tail call.
template <class Side, int kLeft>
[[gnu::noinline]] void called(int& x) {
  if constexpr (kLeft == 0) {
    Side::access(x);
  } else {
    inlined<Side, kLeft - 1>(x);
  }
  x += kLeft;
}
template <class Side, int kLeft>
void inlined(int& x) {
  called<Side, kLeft - 1>(x);
  x *= 3;
}

[[gnu::noinline]] int descend(int left, int& to) {
  if (left == 0) {
    to = 1;
    return 1;
  }
  return descend(left - 1, to) * 3 + left;
}

int odd(int left, int& to);
[[gnu::noinline]] int even(int left, int& to) {
  if (left == 0) {
    to = 2;
    return 1;
  }
  return odd(left - 1, to) * 5 + left;
}
[[gnu::noinline]] int odd(int left, int& to) { return even(left - 1, to) * 7 + left; }

int branch(int left, int& to);
[[gnu::noinline]] int left(int left, int& to) { return branch(left, to) * 5 + left; }
[[gnu::noinline]] int right(int left, int& to) { return branch(left, to) * 7 + left; }
// By the sequence of Thue and Morse, in which nothing is there three times in a row.
[[gnu::noinline]] int branch(int depth_left, int& to) {
  if (depth_left == 0) {
    to = 3;
    return 1;
  }
  const bool is_left = std::popcount(static_cast<unsigned>(depth_left)) % 2 == 0;
  return (is_left ? left(depth_left - 1, to) : right(depth_left - 1, to)) * 3 + 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  ao::finish([&] {
    if (what == "chains") {
      ao::async([] { called<Writing, 30>(results[0]); });
      ao::async([] { called<Reading, 30>(results[1]); });
    } else if (what == "recursion") {
      ao::async([] { results[0] = descend(depth, shared); });
      ao::async([] { results[1] = even(depth, shared); });
    } else {
      ao::async([] { results[0] = branch(depth / 10, shared); });
      ao::async([] { results[1] = branch(depth / 10, shared) + 1; });
    }
  });
  return 0;
}
