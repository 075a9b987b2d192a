// A variant of libanyorder: the hooks of all front ends, compiled for one detector. Included by one file per
// detector, which the build makes from variant.cpp.in.
#pragma once

#include <cstdlib>
#include <string>
#include <sys/single_threaded.h>

#include "binding/check/session.hpp"
#include "runtime/configuration.hpp"
#include "runtime/tool.hpp"
#include "support/settings.hpp"

namespace anyorder::binding {

using VariantSession = Session<VariantDetector>;
// Null: the process is not checked. Never destroyed: static objects of the program are checked to the end.
inline constinit VariantSession* session = nullptr;

// Before every constructor of the program: the library is loaded before it.
[[gnu::constructor(101)]] inline void begin_session() {
  // Reference counts that look at this variable would not be atomic in a run with one thread.
  __libc_single_threaded = 0;
  const auto folder = support::value_of(support::kRecord);
  if (!folder) return;
  const events::InsideTool inside;
  auto* const begun =
      new VariantSession(std::string(*folder), std::string(support::value_of(support::kGraph).value_or("")));
  if (!begun->usable()) return;
  session = begun;
  runtime::attached_listener = begun;
  runtime::required_executor = executor::serial;
  events::attached_memory_listener = begun;
}

[[gnu::destructor(101)]] inline void end_session() {
  if (session != nullptr) session->process_ends();
}

}  // namespace anyorder::binding

namespace anyorder::frontends {

struct Receiver {
  static void read(const void* address, std::size_t bytes, std::uintptr_t pc) {
    void* const task = events::running_task;
    if (task == nullptr) [[unlikely]]
      return unchecked(pc);
    binding::session->checked_read(task, address, bytes, pc);
  }
  static void write(const void* address, std::size_t bytes, std::uintptr_t pc) {
    void* const task = events::running_task;
    if (task == nullptr) [[unlikely]]
      return unchecked(pc);
    binding::session->checked_write(task, address, bytes, pc);
  }
  static void unchecked(std::uintptr_t pc) {
    if (binding::session != nullptr) binding::session->unchecked_access(pc);
  }
  static void atomic() {
    if (binding::session != nullptr) binding::session->atomic_made();
  }
  static void decreased(const void* counter, bool to_zero) {
    if (events::running_task == nullptr) return;
    if (to_zero) {
      binding::session->last_reference_dropped(counter);
    } else {
      binding::session->reference_dropped(counter);
    }
  }
  static void sole(const void* counter) {
    if (events::running_task != nullptr) binding::session->last_reference_dropped(counter);
  }
  static void entered(std::uintptr_t call_pc, std::uintptr_t own_pc, std::uintptr_t stack) {
    binding::t_calls.push({call_pc, own_pc, stack});
  }
  static void left() { binding::t_calls.pop(); }
  static void started(std::uintptr_t pc) {
    if (binding::session != nullptr) binding::session->module_started(pc);
  }
};

}  // namespace anyorder::frontends

#include "frontends/compiler_hooks/hooks.hpp"
