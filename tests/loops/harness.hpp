// What the generated programs have in common: their element types, what their functions call, and how each of
// them is run.
//
// A case is one function. It is run with two sets of bounds, each on memory of its own: alone, if it makes
// tasks; beside a task that writes all of that memory, so that exactly the bytes that it accesses race; and
// beside one that reads all of it, so that exactly those race that it writes.
#pragma once

#include <anyorder/async.hpp>
#include <anyorder/finish.hpp>
#include <anyorder/future.hpp>

namespace loops {

using Byte = unsigned char;
// Without a sign: nothing overflows.
using I1 = unsigned char;
using I2 = unsigned short;
using I4 = unsigned int;
using I8 = unsigned long;
// For views of one array by elements of several sizes, which begin anywhere.
using U2 [[gnu::may_alias, gnu::aligned(1)]] = I2;
using U4 [[gnu::may_alias, gnu::aligned(1)]] = I4;
using U8 [[gnu::may_alias, gnu::aligned(1)]] = I8;
struct Point {
  I4 x;
  I2 y;
  I1 z;
  I8 w;
};

// All that is read goes in here, and out however the function ends: else a compiler would leave out reads.
struct Sum {
  I8 value = 0;
  ~Sum() { asm volatile("" ::"r"(value)); }
  template <class T>
  T see(T read) {
    value += static_cast<I8>(read);
    return read;
  }
};
struct Stop {};

[[gnu::noinline]] inline void opaque() { asm volatile("" ::: "memory"); }
[[gnu::noinline]] inline void stop_if(bool now) {
  if (now) throw Stop();
}
[[gnu::noinline]] inline int twice(int x) { return 2 * x; }
template <class T>
[[gnu::noinline]] I8 get(const T* p, int i) {
  return static_cast<I8>(p[i]);
}
template <class T>
[[gnu::noinline]] void set(T* p, int i) {
  p[i] = static_cast<T>(i);
}
template <class T>
void bump(T* p, int i) {
  p[i] = static_cast<T>(p[i] + 1);
}
template <class T>
I8 total(const T* p, int count) {
  I8 sum = 0;
  for (int i = 0; i < count; ++i) sum += static_cast<I8>(p[i]);
  return sum;
}
template <class T>
void fill(T* p, int count) {
  for (T* end = p + (count < 0 ? 0 : count); p != end; ++p) *p = 3;
}
// After a copy: else one that is overwritten would go, with its reads.
[[gnu::noinline]] inline I8 sum_of(const void* place, long bytes) {
  I8 sum = 0;
  for (long i = 0; i < bytes; ++i) sum += static_cast<const Byte*>(place)[i];
  return sum;
}
inline int turns = 0;
inline void atomic_turn() { __atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED); }
// Memory that nobody else knows of, as from malloc; but in the array, so that its races are compared.
[[gnu::noinline, gnu::malloc]] inline Byte* own_memory(Byte* place) {
  asm volatile("" : "+r"(place));
  return place;
}
// Keeps no address, but hands it back.
template <class T>
[[gnu::noinline]] T* after_three(T* place, const T* end) {
  Sum sum;
  for (int i = 0; i < 3 && place != end; ++i) sum.value += static_cast<I8>(*place++);
  return place;
}

using Touch = void (*)(Byte*, long);
[[gnu::noinline]] inline void write_all(Byte* place, long bytes) {
  for (long i = 0; i < bytes; ++i) place[i] = 1;
}
[[gnu::noinline]] inline void read_all(Byte* place, long bytes) {
  Sum sum;
  for (long i = 0; i < bytes; ++i) sum.value += place[i];
}
[[gnu::noinline]] inline void spawn(Touch touch, void* place, long bytes) noexcept {
  anyorder::async([=] { touch(static_cast<Byte*>(place), bytes); });
}
[[gnu::noinline]] inline void spawn_and_wait(Touch touch, void* place, long bytes) noexcept {
  anyorder::finish([=] { spawn(touch, place, bytes); });
}

// Between the two, a task that is waited for in the middle of a function.
inline anyorder::future<void> child;
[[gnu::noinline]] inline void begin_child(Touch touch, void* place, long bytes) noexcept {
  child = anyorder::async_future([=] { touch(static_cast<Byte*>(place), bytes); });
}
[[gnu::noinline]] inline void end_child() noexcept { child.get(); }

struct Bounds {
  int n;
  int m;
  int s;
  int t;
};
struct Case {
  void (*work)(Byte* first, Byte* second, Byte* own, int n, int m, int s, int t, Sum& outside);
  Byte* array;
  int bytes;   // of one run: what `first` and `second` are in, then what is `own`
  int common;  // without what is `own`
  int first;   // where it begins
  int second;
  bool makes_tasks;
  bool is_floating;  // then not all bits make a number
  bool goes_first;   // before the task beside it
  Bounds bounds[2];
};

inline void run(const Case& one, Byte* memory, const Bounds& bounds) {
  Sum outside;
  try {
    one.work(memory + one.first, memory + one.second, memory + one.common, bounds.n, bounds.m, bounds.s,
             bounds.t, outside);
  } catch (const Stop&) {
  }
}

inline void run_all(const Case* cases, int count) {
  for (int i = 0; i < count; ++i) {
    const Case& one = cases[i];
    Byte* memory = one.array;
    for (const Bounds& bounds : one.bounds) {
      for (const Touch beside : {Touch{nullptr}, &write_all, &read_all}) {
        if (beside == nullptr && !one.makes_tasks) continue;
        for (int k = 0; k < one.bytes; ++k) memory[k] = static_cast<Byte>(one.is_floating ? 0 : k * 37 + 11);
        anyorder::finish([=, &one, &bounds] {
          if (beside != nullptr && !one.goes_first) spawn(beside, memory, one.common);
          anyorder::async([=, &one, &bounds] { run(one, memory, bounds); });
          if (beside != nullptr && one.goes_first) spawn(beside, memory, one.common);
        });
        memory += one.bytes;
      }
    }
  }
}

}  // namespace loops
