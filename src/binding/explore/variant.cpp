// The variant of libanyorder that can explore: the hooks of all front ends, for the explorer.

#include <cstdlib>
#include <dlfcn.h>
#include <sys/single_threaded.h>
#include <utility>

#include "binding/explore/closure_explorer.hpp"
#include "binding/explore/main_explorer.hpp"
#include "binding/explore/observed_program.hpp"
#include "events/running_task.hpp"
#include "events/step_ranges.hpp"
#include "support/settings.hpp"

namespace anyorder::binding {
namespace {

// Null: not yet. Never destroyed.
constinit ObservedProgram* program = nullptr;
constinit MainExplorer::Main main_of_program = nullptr;

// Before every constructor of the program: the library is loaded before it.
[[gnu::constructor(101)]] void begin() {
  // Reference counts that look at this variable would not be atomic in a run with one thread.
  __libc_single_threaded = 0;
  const events::InsideTool inside;
  program = new ObservedProgram;
  if (MainExplorer::wanted()) return;
  runtime::attached_explorer = new ClosureExplorer(*program);
  // For this process, not for those that it starts.
  unsetenv(support::kExplorer.name);
  unsetenv("LD_PRELOAD");
}

int explored_main(int argc, char** argv, char** environment) {
  static auto& explorer = *new MainExplorer(*program);
  return explorer.run(main_of_program, argc, argv, environment);
}

}  // namespace
}  // namespace anyorder::binding

// What the C library starts a program by: main is ours, if the program is to be explored.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the name is the C library's
extern "C" __attribute__((visibility("default"))) int __libc_start_main(
    anyorder::binding::MainExplorer::Main main, int argc, char** argv, void (*init)(), void (*fini)(),
    void (*loader_fini)(), void* stack_end) {
  using Start =
      int (*)(anyorder::binding::MainExplorer::Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  if (anyorder::binding::program != nullptr && anyorder::binding::MainExplorer::wanted()) {
    anyorder::binding::main_of_program = std::exchange(main, &anyorder::binding::explored_main);
  }
  return start(main, argc, argv, init, fini, loader_fini, stack_end);
}

namespace anyorder::frontends {

struct Receiver {
  static constexpr bool kGroups = false;
  static constexpr bool kWordByWord = false;
  template <events::Access kAccess, std::size_t kBytes>
  static void access(const void* address, std::uintptr_t pc) {
    access<kAccess>(address, kBytes, pc);
  }
  static void settle(const auto& /*put_off*/) {}
  template <events::Access kAccess, std::size_t kBytes>
  static void news(const void* address, std::uintptr_t pc) {
    access<kAccess>(address, kBytes, pc);
  }
  template <events::Access kAccess, std::size_t kBytes>
  static void access_each(const char* begin, std::ptrdiff_t stride, std::size_t count, std::uintptr_t pc) {
    for (std::size_t i = 0; i < count; ++i, begin += stride) access<kAccess, kBytes>(begin, pc);
  }
  template <events::Access kAccess, class Make>
  static void access_once(const events::Rows& /*rows*/, std::uintptr_t /*pc*/, Make make) {
    make();
  }
  template <events::Access kAccess>
  static void access(const void* address, std::size_t bytes, std::uintptr_t pc) {
    if (events::running_task() != nullptr) {
      binding::program->access(kAccess, address, bytes, pc);
    } else if (binding::program != nullptr) {
      binding::program->unobserved_access();
    }
  }
  static void atomic(bool modifies) {
    if (modifies && events::running_task() != nullptr) binding::program->atomic_modified();
  }
  static void decreased(const void* counter, bool to_zero) {
    if (events::running_task() == nullptr) return;
    if (to_zero) {
      binding::program->counter_emptied(counter);
    } else {
      binding::program->reference_dropped_from(counter);
    }
  }
  static void sole(const void* counter) {
    if (events::running_task() != nullptr) binding::program->counter_emptied(counter);
  }
  static void entered(std::uintptr_t call_pc, std::uintptr_t own_pc, std::uintptr_t stack) {
    binding::this_stack().calls.push({call_pc, own_pc, stack});
  }
  static void left() { binding::this_stack().calls.pop(); }
  static void started() {
    if (binding::program != nullptr) binding::program->module_started();
  }
};

}  // namespace anyorder::frontends

#include "frontends/compiler_hooks/hooks.inc"
