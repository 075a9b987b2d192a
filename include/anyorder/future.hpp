// async_future(f): a child task with a handle, through which any task may wait for its result.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "anyorder/detail/task.hpp"

namespace anyorder {
namespace detail {

// Returns when the task has ended; throws its exception. Throws usage_error on null (an empty handle) and
// inside an isolated section.
ANYORDER_API void wait_for(FutureTask* task, source_site site);
// Whether it has ended.
ANYORDER_API bool is_ready(const FutureTask& task) noexcept;
// Gives a handle back. The last one takes the result with it.
ANYORDER_API void release(FutureTask& task) noexcept;

template <class R>
class Result {
 public:
  Result() noexcept {}
  ~Result() {}  // what store() made is destroyed by the task, which knows whether it was made
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;

  template <class F>
  void store(F& f) {
    ::new (static_cast<void*>(std::addressof(value_))) R(f());
  }
  void destroy() noexcept { std::destroy_at(std::addressof(value_)); }
  const R& value() const noexcept { return value_; }
  R&& take() noexcept { return std::move(value_); }

 private:
  union {
    R value_;
  };
};

template <class R>
class Result<R&> {
 public:
  template <class F>
  void store(F& f) {
    R& r = f();
    value_ = std::addressof(r);
  }
  void destroy() noexcept {}
  R& value() const noexcept { return *value_; }
  R& take() const noexcept { return *value_; }

 private:
  R* value_ = nullptr;
};

template <>
class Result<void> {
 public:
  template <class F>
  void store(F& f) {
    f();
  }
  void destroy() noexcept {}
  void value() const noexcept {}
};

template <class R, class Base = FutureTask>
struct TypedFutureTask : Base {
  ANYORDER_UNCHECKED TypedFutureTask(const TaskOps& operations, source_site created_at) noexcept
      : Base(operations, created_at) {}
  Result<R> result;

  // After the task has run: there is a result unless there is an exception.
  static void drop_result(Task& task) noexcept {
    auto& self = static_cast<TypedFutureTask&>(task);
    if (!drop_error(self)) self.result.destroy();
  }
  // The same for a result that nothing need be done to.
  ANYORDER_UNCHECKED static void drop_error_alone(Task& task) noexcept {
    static_cast<void>(drop_error(static_cast<TypedFutureTask&>(task)));
  }
  static constexpr void (*kDropResult)(Task&) noexcept =
      std::is_void_v<R> || std::is_reference_v<R> || std::is_trivially_destructible_v<R> ? &drop_error_alone
                                                                                         : &drop_result;

 protected:
  ~TypedFutureTask() = default;
};

template <class R, class F>
struct ClosureFutureTask final : TypedFutureTask<R> {
  template <class G>
  ClosureFutureTask(source_site created_at, G&& f)
      : TypedFutureTask<R>(kOps, created_at), closure(std::forward<G>(f)) {}

  ANYORDER_RUNS_TASK static void run(Task& task) {
    auto& self = static_cast<ClosureFutureTask&>(task);
    self.result.store(self.closure);
  }
  // What it consists of has ended before.
  ANYORDER_UNCHECKED ~ClosureFutureTask() = default;
  static constexpr TaskOps kOps{TaskKind::future, &run, &dispose_task<ClosureFutureTask>,
                                TypedFutureTask<R>::kDropResult, nullptr};

  OneShot<F> closure;
};

struct HandleMaker;

}  // namespace detail

template <class R>
class future {
 public:
  future() noexcept = default;
  future(const future& other) noexcept : task_(other.task_) {
    if (task_ != nullptr) task_->add_handle();
  }
  future(future&& other) noexcept : task_(std::exchange(other.task_, nullptr)) {}
  future& operator=(const future& other) noexcept {
    future(other).swap(*this);
    return *this;
  }
  future& operator=(future&& other) noexcept {
    future(std::move(other)).swap(*this);
    return *this;
  }
  ~future() {
    if (task_ != nullptr) detail::release(*task_);
  }
  void swap(future& other) noexcept { std::swap(task_, other.task_); }

  // Waits for the task; returns const R& (R& if R is a reference, nothing if it is void), or throws the
  // task's exception, each time it is called. The result lives as long as a handle does.
  decltype(auto) get(source_site site = source_site::current()) const {
    detail::wait_for(task_, site);
    return task_->result.value();
  }
  bool valid() const noexcept { return task_ != nullptr; }
  // Whether get would return or throw at once. What a program does with the answer depends on the schedule.
  bool ready() const noexcept { return task_ != nullptr && detail::is_ready(*task_); }

 private:
  // Not async_future itself: clang 16 does not recognize a constrained friend template.
  friend struct detail::HandleMaker;

  explicit future(detail::TypedFutureTask<R>& task) noexcept : task_(&task) {}

  detail::TypedFutureTask<R>* task_ = nullptr;
};

struct detail::HandleMaker {
  template <class R>
  static future<R> make(TypedFutureTask<R>& task) noexcept {
    return future<R>(task);
  }
};

// f is copied or moved into the task and called once. The task is also joined by its enclosing finish.
template <class F>
requires std::invocable<std::decay_t<F>>
auto async_future(F&& f, source_site site = source_site::current())
    -> future<std::remove_cv_t<std::invoke_result_t<std::decay_t<F>>>> {
  using R = std::remove_cv_t<std::invoke_result_t<std::decay_t<F>>>;
  static_assert(!std::is_rvalue_reference_v<R>, "a future cannot hold an rvalue reference: return a value");
  auto& task = detail::new_task<detail::ClosureFutureTask<R, std::decay_t<F>>>(detail::TaskKind::future, site,
                                                                               std::forward<F>(f));
  future<R> handle = detail::HandleMaker::make<R>(task);
  detail::spawn(task);
  return handle;
}

}  // namespace anyorder
