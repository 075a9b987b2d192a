// What lies where in the running process: modules, thread-local storage, stacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "binding/check/call_stack.hpp"
#include "findings/race.hpp"

namespace anyorder::binding {

struct AddressRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  [[nodiscard]] bool contains(std::uintptr_t address) const { return begin <= address && address < end; }
};

// The loaded modules that take the function of that name from another one.
[[nodiscard]] std::vector<AddressRange> modules_that_import(std::string_view function);

// Whether the address is in a thread-local variable of the calling thread.
[[nodiscard]] bool is_thread_local(std::uintptr_t address);

// Whether the address is in a static object of libstdc++. Its headers fill caches there without
// synchronisation that a check could see (ctype::narrow, for one), and the library answers for them.
[[nodiscard]] bool is_of_cxx_library(std::uintptr_t address);

// Both, looked up once for the modules that are loaded: programs that load others later are looked through
// again.
//
// Contract: for one thread.
class ExemptMemory {
 public:
  // Whether the address is in a thread-local variable of the calling thread, or is_of_cxx_library.
  [[nodiscard]] bool contains(std::uintptr_t address);

 private:
  void look_up();

  std::optional<std::pair<unsigned long long, unsigned long long>> loaded_;  // modules so far, and unloaded
  bool complete_ = false;  // every module has its thread-local variables
  std::vector<AddressRange> ranges_;
};

// The local variable, as far as the calls tell whose frame the address is in; nothing if it is on neither the
// stack that the calling thread runs on nor on the thread's own.
[[nodiscard]] std::optional<findings::LocalMemory> local_at(std::uintptr_t address, const CallStack& calls);

// The same for a stack that another thread may run, with the calls on it. Only those are looked at that began
// before the variable did: they are there as long as it is.
[[nodiscard]] std::optional<findings::LocalMemory> local_elsewhere(std::uintptr_t address,
                                                                   const AddressRange& stack,
                                                                   const CallStack& calls);

// The stack that the calling thread runs on.
[[nodiscard]] AddressRange range_of_stack();

}  // namespace anyorder::binding
