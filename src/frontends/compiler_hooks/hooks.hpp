// The functions that code compiled with -fsanitize=thread calls, defined for one receiver of events.
//
// Contract: the file that includes this one, and no other of the same library, has said before
//
//   namespace anyorder::frontends { using Receiver = ...; }
//
// Receiver has static members; the calls below are inlined into the hooks, which is why this is a header:
//
//   read, write(const void* address, std::size_t bytes, std::uintptr_t pc)   an access at the return address
//   pc atomic()                                            an atomic operation was made decreased(const void*
//   counter, bool to_zero)        a releasing one took something from a counter, or is
//                                                       about to: called before it, and after it if it led to
//                                                       0
//   sole(const void* counter)                           an acquiring load found that the counter is 1
//   entered(call_pc, own_pc, stack), left()             the instrumented function begins or ends; own_pc is
//   in
//                                                       it, `stack` the lowest address of its frame
//   started(std::uintptr_t pc)                          the module of this code is instrumented; may be
//   repeated
//
// g++ 12 and clang 14 to 19 emit these names. Annotations of <sanitizer/tsan_interface.h> do nothing here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the compilers choose the names
// NOLINTBEGIN(bugprone-macro-parentheses): types and names
#define ANYORDER_HOOK extern "C" __attribute__((visibility("default")))
#define ANYORDER_CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

ANYORDER_HOOK void __tsan_init() { anyorder::frontends::Receiver::started(ANYORDER_CALLER); }

ANYORDER_HOOK void __tsan_func_entry(void* call_pc) {
  anyorder::frontends::Receiver::entered(
      reinterpret_cast<std::uintptr_t>(call_pc), ANYORDER_CALLER,
      reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + 2 * sizeof(void*));
}
ANYORDER_HOOK void __tsan_func_exit() { anyorder::frontends::Receiver::left(); }

// Plain accesses. A volatile access is one; so is an unaligned one, to the byte.
#define ANYORDER_ACCESS(name, kind, bytes)                                \
  ANYORDER_HOOK void name(void* address) {                                \
    anyorder::frontends::Receiver::kind(address, bytes, ANYORDER_CALLER); \
  }
#define ANYORDER_ACCESSES(bytes)                                        \
  ANYORDER_ACCESS(__tsan_read##bytes, read, bytes)                      \
  ANYORDER_ACCESS(__tsan_write##bytes, write, bytes)                    \
  ANYORDER_ACCESS(__tsan_unaligned_read##bytes, read, bytes)            \
  ANYORDER_ACCESS(__tsan_unaligned_write##bytes, write, bytes)          \
  ANYORDER_ACCESS(__tsan_volatile_read##bytes, read, bytes)             \
  ANYORDER_ACCESS(__tsan_volatile_write##bytes, write, bytes)           \
  ANYORDER_ACCESS(__tsan_unaligned_volatile_read##bytes, read, bytes)   \
  ANYORDER_ACCESS(__tsan_unaligned_volatile_write##bytes, write, bytes) \
  ANYORDER_ACCESS(__tsan_read_write##bytes, write, bytes)               \
  ANYORDER_ACCESS(__tsan_unaligned_read_write##bytes, write, bytes)
ANYORDER_ACCESSES(1)
ANYORDER_ACCESSES(2)
ANYORDER_ACCESSES(4)
ANYORDER_ACCESSES(8)
ANYORDER_ACCESSES(16)
#undef ANYORDER_ACCESSES
#undef ANYORDER_ACCESS

ANYORDER_HOOK void __tsan_read_range(void* address, std::size_t bytes) {
  if (bytes != 0) anyorder::frontends::Receiver::read(address, bytes, ANYORDER_CALLER);
}
ANYORDER_HOOK void __tsan_write_range(void* address, std::size_t bytes) {
  if (bytes != 0) anyorder::frontends::Receiver::write(address, bytes, ANYORDER_CALLER);
}

ANYORDER_HOOK void __tsan_vptr_read(void** vptr) {
  anyorder::frontends::Receiver::read(vptr, sizeof(void*), ANYORDER_CALLER);
}
// A destructor that leaves the pointer as it is writes nothing that others could see.
ANYORDER_HOOK void __tsan_vptr_update(void** vptr, void* value) {
  if (*vptr != value) anyorder::frontends::Receiver::write(vptr, sizeof(void*), ANYORDER_CALLER);
}

// clang's replacements of the memory intrinsics.
ANYORDER_HOOK void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  if (bytes != 0) {
    anyorder::frontends::Receiver::read(from, bytes, ANYORDER_CALLER);
    anyorder::frontends::Receiver::write(to, bytes, ANYORDER_CALLER);
  }
  return __builtin_memmove(to, from, bytes);
}
ANYORDER_HOOK void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  if (bytes != 0) {
    anyorder::frontends::Receiver::read(from, bytes, ANYORDER_CALLER);
    anyorder::frontends::Receiver::write(to, bytes, ANYORDER_CALLER);
  }
  return __builtin_memmove(to, from, bytes);
}
ANYORDER_HOOK void* __tsan_memset(void* to, int value, std::size_t bytes) {
  if (bytes != 0) anyorder::frontends::Receiver::write(to, bytes, ANYORDER_CALLER);
  return __builtin_memset(to, value, bytes);
}

namespace anyorder::frontends {

__extension__ typedef unsigned __int128 Uint128;  // NOLINT(modernize-use-using): `using` warns all the same

constexpr bool releases(int order) { return order >= __ATOMIC_RELEASE; }
constexpr bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }

// Atomic operations on T, at least as strong as `order` asks.
template <class T>
struct Atomic {
  static T load(const volatile T* at, int order) {
    Receiver::atomic();
    const T value = __atomic_load_n(at, __ATOMIC_SEQ_CST);
    // libstdc++'s shared_ptr looks at both of its counts at once.
    constexpr std::uint64_t kBothOne = (std::uint64_t{1} << 32U) + 1;
    if (acquires(order) &&
        (value == 1 || (sizeof(T) == 8 && static_cast<std::uint64_t>(value) == kBothOne))) {
      Receiver::sole(const_cast<const T*>(at));
    }
    return value;
  }
  static void store(volatile T* at, T value, int order) {
    Receiver::atomic();
    if (order == __ATOMIC_SEQ_CST) {
      __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
    } else {
      __atomic_store_n(at, value, __ATOMIC_RELEASE);
    }
  }
  static T exchange(volatile T* at, T value) {
    Receiver::atomic();
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);
  }
  static T add(volatile T* at, T value, int order) {
    Receiver::atomic();
    const bool drop = releases(order) && static_cast<std::make_signed_t<T>>(value) < 0;
    if (drop) Receiver::decreased(const_cast<const T*>(at), false);
    const T before = __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
    if (drop && static_cast<T>(before + value) == 0) Receiver::decreased(const_cast<const T*>(at), true);
    return before;
  }
  static bool exchange_if(volatile T* at, T& expected, T wanted) {
    Receiver::atomic();
    return __atomic_compare_exchange_n(at, &expected, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  template <class Next>
  static T update(volatile T* at, Next next) {
    Receiver::atomic();
    T before = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (
        !__atomic_compare_exchange_n(at, &before, next(before), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
    return before;
  }
};

// Sixteen bytes: cmpxchg16b, which is also how they are loaded and stored.
template <>
struct Atomic<Uint128> {
  using T = Uint128;
  static T compare_and_swap(volatile T* at, T expected, T wanted) {
    return __sync_val_compare_and_swap(at, expected, wanted);
  }
  template <class Next>
  static T update(volatile T* at, Next next) {
    Receiver::atomic();
    T before = compare_and_swap(at, 0, 0);
    for (;;) {
      const T seen = compare_and_swap(at, before, next(before));
      if (seen == before) return before;
      before = seen;
    }
  }
  static T load(const volatile T* at, int /*order*/) {
    Receiver::atomic();
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
    Receiver::atomic();
    const T seen = compare_and_swap(at, expected, wanted);
    if (seen == expected) return true;
    expected = seen;
    return false;
  }
};

}  // namespace anyorder::frontends

#define ANYORDER_ATOMICS(bits, T)                                                                           \
  ANYORDER_HOOK T __tsan_atomic##bits##_load(const volatile T* at, int order) {                             \
    return anyorder::frontends::Atomic<T>::load(at, order);                                                 \
  }                                                                                                         \
  ANYORDER_HOOK void __tsan_atomic##bits##_store(volatile T* at, T value, int order) {                      \
    anyorder::frontends::Atomic<T>::store(at, value, order);                                                \
  }                                                                                                         \
  ANYORDER_HOOK T __tsan_atomic##bits##_exchange(volatile T* at, T value, int) {                            \
    return anyorder::frontends::Atomic<T>::exchange(at, value);                                             \
  }                                                                                                         \
  ANYORDER_HOOK T __tsan_atomic##bits##_fetch_add(volatile T* at, T value, int order) {                     \
    return anyorder::frontends::Atomic<T>::add(at, value, order);                                           \
  }                                                                                                         \
  ANYORDER_HOOK T __tsan_atomic##bits##_fetch_sub(volatile T* at, T value, int order) {                     \
    return anyorder::frontends::Atomic<T>::add(at, static_cast<T>(-value), order);                          \
  }                                                                                                         \
  ANYORDER_HOOK T __tsan_atomic##bits##_fetch_and(volatile T* at, T value, int) {                           \
    return anyorder::frontends::Atomic<T>::update(at, [value](T x) { return static_cast<T>(x & value); });  \
  }                                                                                                         \
  ANYORDER_HOOK T __tsan_atomic##bits##_fetch_or(volatile T* at, T value, int) {                            \
    return anyorder::frontends::Atomic<T>::update(at, [value](T x) { return static_cast<T>(x | value); });  \
  }                                                                                                         \
  ANYORDER_HOOK T __tsan_atomic##bits##_fetch_xor(volatile T* at, T value, int) {                           \
    return anyorder::frontends::Atomic<T>::update(at, [value](T x) { return static_cast<T>(x ^ value); });  \
  }                                                                                                         \
  ANYORDER_HOOK T __tsan_atomic##bits##_fetch_nand(volatile T* at, T value, int) {                          \
    return anyorder::frontends::Atomic<T>::update(at,                                                       \
                                                  [value](T x) { return static_cast<T>(~(x & value)); });   \
  }                                                                                                         \
  ANYORDER_HOOK int __tsan_atomic##bits##_compare_exchange_strong(volatile T* at, T* expected, T wanted,    \
                                                                  int, int) {                               \
    return anyorder::frontends::Atomic<T>::exchange_if(at, *expected, wanted) ? 1 : 0;                      \
  }                                                                                                         \
  ANYORDER_HOOK int __tsan_atomic##bits##_compare_exchange_weak(volatile T* at, T* expected, T wanted, int, \
                                                                int) {                                      \
    return anyorder::frontends::Atomic<T>::exchange_if(at, *expected, wanted) ? 1 : 0;                      \
  }                                                                                                         \
  ANYORDER_HOOK T __tsan_atomic##bits##_compare_exchange_val(volatile T* at, T expected, T wanted, int,     \
                                                             int) {                                         \
    anyorder::frontends::Atomic<T>::exchange_if(at, expected, wanted);                                      \
    return expected;                                                                                        \
  }
ANYORDER_ATOMICS(8, std::uint8_t)
ANYORDER_ATOMICS(16, std::uint16_t)
ANYORDER_ATOMICS(32, std::uint32_t)
ANYORDER_ATOMICS(64, std::uint64_t)
ANYORDER_ATOMICS(128, anyorder::frontends::Uint128)
#undef ANYORDER_ATOMICS

ANYORDER_HOOK void __tsan_atomic_thread_fence(int /*order*/) {
  anyorder::frontends::Receiver::atomic();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
ANYORDER_HOOK void __tsan_atomic_signal_fence(int /*order*/) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

// Annotations for the real ThreadSanitizer: accepted, so that programs which carry them link.
ANYORDER_HOOK void __tsan_acquire(void*) {}
ANYORDER_HOOK void __tsan_release(void*) {}
ANYORDER_HOOK void __tsan_mutex_create(void*, unsigned) {}
ANYORDER_HOOK void __tsan_mutex_destroy(void*, unsigned) {}
ANYORDER_HOOK void __tsan_mutex_pre_lock(void*, unsigned) {}
ANYORDER_HOOK void __tsan_mutex_post_lock(void*, unsigned, int) {}
ANYORDER_HOOK int __tsan_mutex_pre_unlock(void*, unsigned) { return 0; }
ANYORDER_HOOK void __tsan_mutex_post_unlock(void*, unsigned) {}
ANYORDER_HOOK void __tsan_mutex_pre_signal(void*, unsigned) {}
ANYORDER_HOOK void __tsan_mutex_post_signal(void*, unsigned) {}
ANYORDER_HOOK void __tsan_mutex_pre_divert(void*, unsigned) {}
ANYORDER_HOOK void __tsan_mutex_post_divert(void*, unsigned) {}
ANYORDER_HOOK void __tsan_ignore_thread_begin() {}
ANYORDER_HOOK void __tsan_ignore_thread_end() {}
ANYORDER_HOOK void* __tsan_get_current_fiber() { return nullptr; }
ANYORDER_HOOK void* __tsan_create_fiber(unsigned) { return nullptr; }
ANYORDER_HOOK void __tsan_destroy_fiber(void*) {}
ANYORDER_HOOK void __tsan_switch_to_fiber(void*, unsigned) {}
ANYORDER_HOOK void __tsan_set_fiber_name(void*, const char*) {}
ANYORDER_HOOK void AnnotateHappensBefore(const char*, int, const volatile void*) {}
ANYORDER_HOOK void AnnotateHappensAfter(const char*, int, const volatile void*) {}
ANYORDER_HOOK void AnnotateBenignRaceSized(const char*, int, const volatile void*, std::size_t, const char*) {
}
ANYORDER_HOOK void AnnotateIgnoreReadsBegin(const char*, int) {}
ANYORDER_HOOK void AnnotateIgnoreReadsEnd(const char*, int) {}
ANYORDER_HOOK void AnnotateIgnoreWritesBegin(const char*, int) {}
ANYORDER_HOOK void AnnotateIgnoreWritesEnd(const char*, int) {}
// NOLINTEND(bugprone-macro-parentheses)
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
#undef ANYORDER_CALLER
#undef ANYORDER_HOOK
