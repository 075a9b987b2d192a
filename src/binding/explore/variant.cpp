// The variant of libanyorder that can explore: the hooks of all front ends, for the explorer.

#include <cstdlib>
#include <sys/single_threaded.h>

#include "binding/explore/explorer.hpp"
#include "events/running_task.hpp"
#include "support/settings.hpp"

namespace anyorder::binding {
namespace {

// Null: not yet. Never destroyed.
constinit ClosureExplorer* explorer = nullptr;

// Before every constructor of the program: the library is loaded before it.
[[gnu::constructor(101)]] void begin() {
  // Reference counts that look at this variable would not be atomic in a run with one thread.
  __libc_single_threaded = 0;
  const events::InsideTool inside;
  explorer = new ClosureExplorer;
  runtime::attached_explorer = explorer;
  // For this process, not for those that it starts.
  unsetenv(support::kExplorer.name);
  unsetenv("LD_PRELOAD");
}

}  // namespace
}  // namespace anyorder::binding

namespace anyorder::frontends {

struct Receiver {
  template <events::Access kAccess, std::size_t kBytes>
  static void access(const void* address, std::uintptr_t pc) {
    access<kAccess>(address, kBytes, pc);
  }
  template <events::Access kAccess, std::size_t kBytes>
  static void news(const void* address, std::uintptr_t pc) {
    access<kAccess>(address, kBytes, pc);
  }
  template <events::Access kAccess>
  static void access(const void* address, std::size_t bytes, std::uintptr_t pc) {
    if (events::running_task() != nullptr) {
      binding::explorer->access(kAccess, address, bytes, pc);
    } else if (binding::explorer != nullptr) {
      binding::explorer->unobserved_access();
    }
  }
  static void atomic(bool modifies) {
    if (modifies && events::running_task() != nullptr) binding::explorer->atomic_modified();
  }
  static void decreased(const void*, bool) {}
  static void sole(const void*) {}
  static void entered(std::uintptr_t, std::uintptr_t, std::uintptr_t) {}
  static void left() {}
  static void started() {
    if (binding::explorer != nullptr) binding::explorer->module_started();
  }
};

}  // namespace anyorder::frontends

#include "frontends/compiler_hooks/hooks.inc"
