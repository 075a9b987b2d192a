// region: tasks that their parent awaits together, or one at a time, and that hand it what they return.
//
// A region is for the task that made it, and for the tasks that were posted into it. Each has its own posts
// in it, and waits for these alone. What a posted task has not awaited when it ends is its parent's, as soon
// as that has awaited the task: then it is the last in the order of the parent's posts.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include "anyorder/detail/region_state.hpp"
#include "anyorder/future.hpp"

namespace anyorder {
namespace detail {

template <class H, class R>
struct Handles : std::bool_constant<std::invocable<H, R>> {};
template <class H>
struct Handles<H, void> : std::bool_constant<std::invocable<H>> {};

struct NoHandler {
  template <class... Result>
  ANYORDER_UNCHECKED void operator()(Result&&... /*result*/) const noexcept {}
};

template <class R, class F, class H>
struct PostedTask final : TypedFutureTask<R, RegionTask> {
  template <class G>
  PostedTask(source_site created_at, G&& f, H&& handles)
      : TypedFutureTask<R, RegionTask>(kOps, created_at),
        handler(std::move(handles)),
        closure(std::forward<G>(f)) {
    this->has_handler = !std::is_same_v<H, NoHandler>;
  }

  ANYORDER_RUNS_TASK static void run(Task& task) {
    auto& self = static_cast<PostedTask&>(task);
    struct Completion {
      PostedTask& of;
      ~Completion() { complete(of); }
    } const completion{self};
    self.result.store(self.closure);
  }
  static void handle(Task& task, bool call) {
    auto& self = static_cast<PostedTask&>(task);
    if (!call) {
      self.handler.drop();
    } else if constexpr (std::is_void_v<R>) {
      self.handler();
    } else {
      self.handler(self.result.take());
    }
  }
  static constexpr TaskOps kOps{
      TaskKind::future, &run,   &dispose_task<PostedTask>, &TypedFutureTask<R, RegionTask>::drop_result,
      nullptr,          &handle};

  OneShot<H> handler;
  OneShot<F> closure;
};

}  // namespace detail

class region {
 public:
  explicit region(source_site site = source_site::current()) : state_(site) {}
  region(const region&) = delete;
  region& operator=(const region&) = delete;
  // As await, and throws what that throws. While an exception is on its way through here, no handler is
  // called, and the exceptions of tasks are left to their finish.
  ~region() noexcept(false) { detail::close(state_); }

  // A child task, which is also joined by its enclosing finish. f is copied or moved into it and called once.
  template <class F>
  requires std::invocable<std::decay_t<F>>
  void post(F&& f, source_site site = source_site::current()) {
    post(std::forward<F>(f), detail::NoHandler{}, site);
  }
  // The handler is called once with what f has returned (by rvalue), by the parent, in the await or await_one
  // that joins the task. It is not called if f has thrown.
  template <class F, class H>
  requires std::invocable<std::decay_t<F>> &&
      detail::Handles<H, std::invoke_result_t<std::decay_t<F>>>::value void
      post(F&& f, H handler, source_site site = source_site::current()) {
    using R = std::remove_cv_t<std::invoke_result_t<std::decay_t<F>>>;
    static_assert(!std::is_rvalue_reference_v<R>, "a task cannot return an rvalue reference: return a value");
    detail::RegionOwner& owner = detail::open(state_, "post", site);
    detail::post(state_, owner,
                 detail::new_task<detail::PostedTask<R, std::decay_t<F>, H>>(
                     detail::TaskKind::future, site, std::forward<F>(f), std::move(handler)));
  }

  // Waits for each of the running task's posts, in their order, and calls its handler before it waits for the
  // next. If tasks or handlers throw, all others are still awaited and handled; then the first exception is
  // thrown from here.
  void await(source_site site = source_site::current()) { detail::await_all(state_, site); }
  // Waits until one of the running task's posts has ended, and calls its handler, or throws the task's
  // exception. If there are several, the schedule decides which one it is. False: there was none to wait for.
  bool await_one(source_site site = source_site::current()) { return detail::await_one(state_, site); }

 private:
  detail::RegionState state_;
};

}  // namespace anyorder
