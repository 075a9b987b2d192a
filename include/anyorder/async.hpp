// async(f): a child task, joined by the innermost enclosing finish.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "anyorder/detail/task.hpp"

namespace anyorder {
namespace detail {

template <class F>
struct AsyncTask final : Task {
  template <class G>
  AsyncTask(source_site created_at, G&& f) : Task(kOps, created_at), closure(std::forward<G>(f)) {}

  ANYORDER_RUNS_TASK static void run(Task& task) {
    static_cast<void>(static_cast<AsyncTask&>(task).closure());
  }
  static constexpr TaskOps kOps{TaskKind::async, &run, &dispose_task<AsyncTask>, nullptr, nullptr};

  OneShot<F> closure;
};

}  // namespace detail

// f is copied or moved into the task and called once; what it returns is dropped. In the parallel executor
// it never runs on the caller's stack from here.
template <class F>
requires std::invocable<std::decay_t<F>>
void async(F&& f, source_site site = source_site::current()) {
  detail::spawn(detail::new_task<detail::AsyncTask<std::decay_t<F>>>(detail::TaskKind::async, site,
                                                                     std::forward<F>(f)));
}

}  // namespace anyorder
