// Atomic operations as instrumented code asks for them: performed, counted, and searched for reference
// counts.
//
// A Receiver is told of each (hooks.inc has its contract). A counter that releasing operations lower is taken
// for a count of references: who brings it to 0, or finds that only its own is left, comes after all who gave
// theirs up, on every schedule.
#pragma once

#include <cstdint>
#include <type_traits>

namespace anyorder::frontends {

__extension__ typedef unsigned __int128 Uint128;  // NOLINT(modernize-use-using): `using` warns all the same

constexpr bool releases(int order) { return order >= __ATOMIC_RELEASE; }
constexpr bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }

// Atomic operations on T, at least as strong as `order` asks.
template <class Receiver, class T>
struct Atomic {
  static T load(const volatile T* at, int order) {
    Receiver::atomic(false);
    const T value = __atomic_load_n(at, __ATOMIC_SEQ_CST);
    if (acquires(order)) {
      if (value == 1) Receiver::sole(const_cast<const T*>(at));
      // libstdc++'s shared_ptr looks at both of its counts at once.
      constexpr std::uint64_t kBothOne = (std::uint64_t{1} << 32U) + 1;
      if (sizeof(T) == 8 && static_cast<std::uint64_t>(value) == kBothOne) {
        const auto* const counts = reinterpret_cast<const std::uint32_t*>(const_cast<const T*>(at));
        Receiver::sole(counts);
        Receiver::sole(counts + 1);
      }
    }
    return value;
  }
  static void store(volatile T* at, T value, int order) {
    Receiver::atomic(true);
    if (order == __ATOMIC_SEQ_CST) {
      __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
    } else {
      __atomic_store_n(at, value, __ATOMIC_RELEASE);
    }
  }
  static T exchange(volatile T* at, T value) {
    Receiver::atomic(true);
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);
  }
  static T add(volatile T* at, T value, int order) {
    Receiver::atomic(true);
    const bool drop = releases(order) && static_cast<std::make_signed_t<T>>(value) < 0;
    if (drop) Receiver::decreased(const_cast<const T*>(at), false);
    const T before = __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
    if (drop && static_cast<T>(before + value) == 0) Receiver::decreased(const_cast<const T*>(at), true);
    return before;
  }
  static bool exchange_if(volatile T* at, T& expected, T wanted) {
    Receiver::atomic(true);
    return __atomic_compare_exchange_n(at, &expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  template <class Next>
  static T update(volatile T* at, Next next) {
    Receiver::atomic(true);
    T before = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (
        !__atomic_compare_exchange_n(at, &before, next(before), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
    return before;
  }
};

// Sixteen bytes: cmpxchg16b, which is also how they are loaded and stored.
template <class Receiver>
struct Atomic<Receiver, Uint128> {
  using T = Uint128;
  static T compare_and_swap(volatile T* at, T expected, T wanted) {
    return __sync_val_compare_and_swap(at, expected, wanted);
  }
  template <class Next>
  static T update(volatile T* at, Next next) {
    Receiver::atomic(true);
    T before = compare_and_swap(at, 0, 0);
    for (;;) {
      const T seen = compare_and_swap(at, before, next(before));
      if (seen == before) return before;
      before = seen;
    }
  }
  static T load(const volatile T* at, int /*order*/) {
    Receiver::atomic(false);
    return compare_and_swap(const_cast<volatile T*>(at), 0, 0);
  }
  static void store(volatile T* at, T value, int /*order*/) { exchange(at, value); }
  static T exchange(volatile T* at, T value) {
    return update(at, [value](T) { return value; });
  }
  static T add(volatile T* at, T value, int /*order*/) {
    return update(at, [value](T before) { return before + value; });
  }
  static bool exchange_if(volatile T* at, T& expected, T wanted) {
    Receiver::atomic(true);
    const T seen = compare_and_swap(at, expected, wanted);
    if (seen == expected) return true;
    expected = seen;
    return false;
  }
};

}  // namespace anyorder::frontends
