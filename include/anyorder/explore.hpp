// explore(f): runs f again and again, in every order of its isolated sections that matters, until it has
// found a race or a deadlock, or has proved that no schedule of this input has one.
//
// For tests; not part of <anyorder/anyorder.hpp>. The code that f runs has to be compiled with `anyorder c++`
// (or anyorder_instrument in CMake). A program that includes this header starts itself once more before main,
// with a variant of libanyorder that sees its accesses.
#pragma once

#include <concepts>
#include <functional>
#include <string>

#include "anyorder/exploration.hpp"
#include "anyorder/source_site.hpp"

namespace anyorder {

namespace detail {

struct NeedsExplorer {
  NeedsExplorer() noexcept { need_explorer(); }
};
inline const NeedsExplorer kNeedsExplorer;

template <class F>
exploration explore_orders(F& f, const exploration_bounds& bounds, const std::string& schedule,
                           source_site site) {
  struct Closure {
    F& f;
  } closure{f};
  return explore_orders([](void* it) { std::invoke(static_cast<Closure*>(it)->f); }, &closure, bounds,
                        schedule, site);
}

}  // namespace detail

// f is called many times, each time from the start: it has to set the data that it uses to the same values,
// and to do the same in the same order of sections. To be called outside every task and finish, while no task
// is alive; throws usage_error where it can see that this is not so, and what f throws.
template <std::invocable F>
exploration explore(F&& f, exploration_bounds bounds = {}, source_site site = source_site::current()) {
  return detail::explore_orders(f, bounds, {}, site);
}

// Runs f once, in the order of sections that an exploration has told; for a debugger.
template <std::invocable F>
exploration replay(const std::string& schedule, F&& f, source_site site = source_site::current()) {
  return detail::explore_orders(f, {}, schedule, site);
}

}  // namespace anyorder
