#include "runtime/exploration.hpp"

#include "runtime/misuse.hpp"
#include "runtime/thread_root.hpp"

namespace anyorder::detail {

exploration explore_orders(void (*function)(void*), void* f, const exploration_bounds& bounds,
                           const std::string& schedule, source_site site) {
  if (!runtime::at_rest() ||
      (runtime::this_worker()->controlled != nullptr && runtime::attached_explorer != nullptr))
    runtime::throw_misuse(site, "explore inside a task or a finish, or while a task is alive");
  if (runtime::attached_explorer == nullptr) {
    exploration result;
    result.text =
        "unknown: this process cannot explore. It runs under anyorder check, or libanyorder was built "
        "without the "
        "tool.\n";
    return result;
  }
  return runtime::attached_explorer->explore(function, f, bounds, schedule, site);
}

void need_explorer() noexcept {
  if (runtime::attached_explorer == nullptr && runtime::start_with_explorer != nullptr) {
    runtime::start_with_explorer();
  }
}

}  // namespace anyorder::detail
