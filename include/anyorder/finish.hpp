// finish(f): runs f(), then waits for every task created in it, transitively.
#pragma once

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "anyorder/detail/finish_scope.hpp"

namespace anyorder {

// Returns what f returns. If f or a task throws, all tasks still run to their end; then the first exception
// is thrown from here. A future's exception counts only if no get has thrown it.
template <class F>
std::invoke_result_t<F> finish(F&& f, source_site site = source_site::current()) {
  using R = std::invoke_result_t<F>;
  detail::FinishScope scope(site);
  if constexpr (std::is_void_v<R>) {
    try {
      std::invoke(std::forward<F>(f));
    } catch (...) {
      scope.end_failed();
    }
    scope.end();
  } else if constexpr (std::is_reference_v<R>) {
    std::remove_reference_t<R>* result = nullptr;
    try {
      R r = std::invoke(std::forward<F>(f));
      result = std::addressof(r);
    } catch (...) {
      scope.end_failed();
    }
    scope.end();
    return static_cast<R>(*result);
  } else {
    std::optional<std::remove_cv_t<R>> result;
    try {
      result.emplace(std::invoke(std::forward<F>(f)));
    } catch (...) {
      scope.end_failed();
    }
    scope.end();
    return *std::move(result);
  }
}

}  // namespace anyorder
