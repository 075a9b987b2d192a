// The record of a task, as the headers create it and the library runs it.
//
// Ownership: an async or loop task belongs to whoever runs it, and is disposed of at its end. A future task
// counts its handles, and counts as one itself until it has ended; the result goes with the last of them. The
// record stays until the task's place in a queue is gone as well, which a claim leaves behind.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "anyorder/detail/export.hpp"
#include "anyorder/detail/unchecked.hpp"
#include "anyorder/source_site.hpp"

namespace anyorder::detail {

class FinishScope;
struct LoopTask;
struct Task;

enum class TaskKind : std::uint8_t { root, async, future, loop };

struct TaskOps {
  TaskKind kind;
  void (*run)(Task&);                   // runs the closure and destroys it; lets the user's exception out
  void (*dispose)(Task&) noexcept;      // destroys the record and gives its memory back
  void (*drop_result)(Task&) noexcept;  // futures only: destroys the result, or the exception
  void (*give_away_rest)(Task&);        // loops only: hands the indexes not yet begun to other workers
  // Posted tasks only: calls the handler with the result, or does not, and destroys it.
  void (*handle)(Task&, bool call) = nullptr;
};

struct Task {
  ANYORDER_UNCHECKED Task(const TaskOps& operations, source_site created_at) noexcept
      : ops(&operations), site(created_at) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  const TaskOps* ops;
  FinishScope* finish = nullptr;  // the scope that joins it; the link of a disposal list after its end
  void* tool = nullptr;           // belongs to the attached tool
  void* joins = nullptr;          // belongs to the join policy
  source_site site;

 protected:
  ~Task() = default;
};

// A future's status: not started, running (with the strands that wait for it as a list), or ended. Strands
// are aligned, so that the low bits tell the three apart.
inline constexpr std::uintptr_t kNotStarted = 0;
inline constexpr std::uintptr_t kRunning = 1;  // or'ed with the first waiting strand
inline constexpr std::uintptr_t kEnded = 2;
inline constexpr std::uintptr_t kStrangers = 4;  // or'ed as well: the join policy has others that wait for it

// A future's references: handles in the low half, and two bits.
inline constexpr std::uint64_t kPlace = std::uint64_t{1} << 32;       // it has a place in a queue
inline constexpr std::uint64_t kResultGone = std::uint64_t{1} << 33;  // with the last handle

struct FutureTask : Task {
  // In the library, as drop_error is: what the standard library's types do in there would be instrumented in
  // the user's code, although this were not.
  ANYORDER_API FutureTask(const TaskOps& operations, source_site created_at) noexcept;

  ANYORDER_UNCHECKED void add_handle() noexcept { references.fetch_add(1, std::memory_order_relaxed); }
  ANYORDER_UNCHECKED bool has_ended() const noexcept {
    return status.load(std::memory_order_acquire) == kEnded;
  }

  std::atomic<std::uintptr_t> status{kNotStarted};
  std::atomic<std::uint64_t> references{kPlace + 2};  // the creator's handle, the task itself, its place
  std::atomic<bool> error_taken{false};               // some get has thrown `error`
  bool has_place = false;                             // the runner's: whether it took the task out of a queue
  std::exception_ptr error;                           // written before status becomes kEnded

 protected:
  ANYORDER_API ~FutureTask();
};

// False: the task has not failed. True: it has, and its exception is gone.
ANYORDER_API bool drop_error(FutureTask& task) noexcept;

struct LoopTask : Task {
  ANYORDER_UNCHECKED LoopTask(const TaskOps& operations, source_site created_at) noexcept
      : Task(operations, created_at) {}

  LoopTask* outer = nullptr;  // the next loop piece that stands on the same stack
  bool learnt = false;        // the index that is being run has created or joined tasks, under a join policy

 protected:
  ~LoopTask() = default;
};

// Throws usage_error inside an isolated section, where no task of that kind may be created.
ANYORDER_API void require_outside_isolated(TaskKind kind, source_site site);
// Memory for a task of that kind. Throws usage_error inside an isolated section.
ANYORDER_API __attribute__((malloc)) void* allocate_task(std::size_t bytes, TaskKind kind, source_site site);
ANYORDER_API void free_task(void* memory, std::size_t bytes) noexcept;
// Makes the task a child of the running one, joined by the scope that is open there, and lets it run. With
// `rest_of` it is a piece of the same loop.
ANYORDER_API void spawn(Task& task, LoopTask* rest_of = nullptr) noexcept;

template <class T, class... Args>
T& new_task(TaskKind kind, source_site site, Args&&... args) {
  void* memory = nullptr;
  if constexpr (alignof(T) > alignof(std::max_align_t)) {
    require_outside_isolated(kind, site);
    memory = ::operator new (sizeof(T), std::align_val_t{alignof(T)});
  } else {
    memory = allocate_task(sizeof(T), kind, site);
  }
  try {
    return *::new (memory) T(site, std::forward<Args>(args)...);
  } catch (...) {
    if constexpr (alignof(T) > alignof(std::max_align_t)) {
      ::operator delete (memory, std::align_val_t{alignof(T)});
    } else {
      free_task(memory, sizeof(T));
    }
    throw;
  }
}

template <class T>
ANYORDER_UNCHECKED void dispose_task(Task& task) noexcept {
  T& self = static_cast<T&>(task);
  self.~T();
  if constexpr (alignof(T) > alignof(std::max_align_t)) {
    ::operator delete (static_cast<void*>(&self), std::align_val_t{alignof(T)});
  } else {
    free_task(&self, sizeof(T));
  }
}

// A closure that lives until its one call returns or throws, whatever becomes of the task's record.
template <class F>
class OneShot {
 public:
  template <class G>
  explicit OneShot(G&& f) : f_(std::forward<G>(f)) {}
  ~OneShot() {}  // f_ has ended with its call
  OneShot(const OneShot&) = delete;
  OneShot& operator=(const OneShot&) = delete;

  decltype(auto) operator()() {
    const Ending ending{f_};
    return std::move(f_)();
  }
  template <class Argument>
  decltype(auto) operator()(Argument&& argument) {
    const Ending ending{f_};
    return std::move(f_)(std::forward<Argument>(argument));
  }
  // Instead of the call.
  void drop() noexcept { std::destroy_at(std::addressof(f_)); }

 private:
  struct Ending {
    F& f;
    ~Ending() { std::destroy_at(std::addressof(f)); }
  };
  union {
    F f_;
  };
};

}  // namespace anyorder::detail
