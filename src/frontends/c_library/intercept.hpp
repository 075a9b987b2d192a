// How this front end stands between the program and the C library: the functions below are defined in a
// library that is loaded before it, and call the ones that they hide.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <dlfcn.h>

#include "events/instrumented_code.hpp"
#include "events/memory.hpp"
#include "events/running_task.hpp"

#define ANYORDER_INTERCEPTED extern "C" __attribute__((visibility("default")))
#define ANYORDER_CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace anyorder::frontends::c_library {

// The function of that name that the next library in line defines. Function-local statics would call
// __cxa_guard_acquire, which is one of them.
template <class Function>
class Hidden {
 public:
  explicit constexpr Hidden(const char* name) noexcept : name_(name) {}

  // Null while the dynamic linker is not ready to tell.
  Function* get() noexcept {
    Function* found = found_.load(std::memory_order_relaxed);
    if (found == nullptr) [[unlikely]] {
      found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
      found_.store(found, std::memory_order_relaxed);
    }
    return found;
  }
  template <class... Args>
  decltype(auto) operator()(Args... args) noexcept {
    return get()(args...);
  }

 private:
  const char* name_;
  std::atomic<Function*> found_{nullptr};
};

// Before the program runs: dlsym inside an allocation that the C library makes in the middle of dlerror would
// take away what dlerror works on.
template <class... Functions>
void find_ahead(Hidden<Functions>&... hidden) noexcept {
  (static_cast<void>(hidden.get()), ...);
}

// The listener, if the library works for instrumented code of a task here.
inline events::MemoryListener* listener_for(std::uintptr_t caller) noexcept {
  if (events::running_task() == nullptr) return nullptr;
  return events::instrumented_code.contains(caller) ? events::attached_memory_listener : nullptr;
}
// The listener for what concerns all code.
inline events::MemoryListener* listener() noexcept {
  return events::inside_tool ? nullptr : events::attached_memory_listener;
}

inline void reads(std::uintptr_t caller, const void* begin, std::size_t bytes) noexcept {
  if (bytes == 0) return;
  if (events::MemoryListener* const to = listener_for(caller)) to->read(begin, bytes, caller);
}
inline void writes(std::uintptr_t caller, const void* begin, std::size_t bytes) noexcept {
  if (bytes == 0) return;
  if (events::MemoryListener* const to = listener_for(caller)) to->write(begin, bytes, caller);
}

}  // namespace anyorder::frontends::c_library
