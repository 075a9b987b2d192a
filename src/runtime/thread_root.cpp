#include "runtime/thread_root.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "runtime/configuration.hpp"
#include "runtime/controlled.hpp"
#include "runtime/finish.hpp"
#include "runtime/followed.hpp"
#include "runtime/lent_threads.hpp"
#include "runtime/overflow.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/tool.hpp"

// Identifies this library to the C++ runtime.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the name is the ABI's
extern "C" __attribute__((visibility("hidden"))) void* __dso_handle;

namespace anyorder::runtime {
namespace {

using detail::FinishScope;
using detail::Task;
using detail::TaskKind;
using detail::TaskOps;

constexpr TaskOps kRootOps{TaskKind::root, nullptr, nullptr, nullptr, nullptr};

struct RootTask final : Task {
  RootTask() noexcept : Task(kRootOps, source_site{}) {}
};

[[noreturn]] void nobody_took(const std::exception_ptr& error, const source_site& created_at) noexcept {
  std::fprintf(stderr,
               "anyorder: a task ended by an exception that no get and no finish took (created at %s:%u, in "
               "%s)\n",
               created_at.file, created_at.line, created_at.function);
  std::rethrow_exception(error);  // leaves a noexcept function: std::terminate says what it was
}

class ThreadRoot {
 public:
  ThreadRoot()
      : worker_(workers().acquire(Worker::Role::ordinary_thread)),
        own_(support::own_stack(), &worker_),
        scope_(FinishScope::ForThread{}) {
    own_.task = &task_;
    own_.view = &scope_.own;
    worker_.own = worker_.strand = &own_;
    set_this_worker(&worker_);
    if (attached_listener != nullptr) attached_listener->root_begun(task_.tool, scope_.tool);
  }
  ThreadRoot(const ThreadRoot&) = delete;
  ThreadRoot& operator=(const ThreadRoot&) = delete;

  ~ThreadRoot() {
    await(own_, scope_);
    source_site created_at;
    if (const std::exception_ptr error = take_failure(scope_, &created_at)) nobody_took(error, created_at);
    if (attached_listener != nullptr) attached_listener->root_ended(task_.tool, scope_.tool);
    forget_joins(task_);
    set_this_worker(nullptr);
    worker_.own = worker_.strand = nullptr;
    worker_.serial.reset();
    workers().give_back(worker_);
  }

  // Outside every finish and task. A thread of oneTBB's that has a root of its own may also serve the pool,
  // with another worker.
  bool outermost() const noexcept {
    return this_worker() == &worker_ && worker_.strand == &own_ && own_.task == &task_ &&
           own_.view == &scope_.own;
  }
  // A task whose result was got may still be on its way out of its scope, on another worker.
  bool at_rest() const noexcept {
    if (!outermost()) return false;
    for (int i = 0; i != kRounds && !complete(scope_); ++i) std::this_thread::sleep_for(kRound);
    return complete(scope_);
  }

 private:
  static constexpr int kRounds = 1000;
  static constexpr std::chrono::microseconds kRound{100};

  const OverflowMessage on_overflow_;
  Worker& worker_;
  Strand own_;
  RootTask task_;
  FinishScope scope_;
};

constinit thread_local ThreadRoot* t_root = nullptr;
std::atomic<bool> program_ends{false};

// exit() may be called inside a task or a finish: then nothing is waited for.
void end_root() noexcept {
  if (t_root != nullptr && t_root->outermost()) delete std::exchange(t_root, nullptr);
}

}  // namespace

Worker& enter() {
  if (Worker* const worker = this_worker()) [[likely]]
    return *worker;
  static std::once_flag once;
  std::call_once(once, [] {
    apply_environment();
    on_exit(
        [](int status, void*) {
          end_root();  // of what was begun by an exit handler
          program_ends.store(true, std::memory_order_relaxed);
          const Worker* const worker = this_worker();
          if (worker != nullptr && worker->role == Worker::Role::pool) exit_from_lent_thread(status);
        },
        nullptr);
  });
  t_root = new ThreadRoot;
  // Not by a thread_local object: this one is called even if it is made while such objects are destroyed.
  abi::__cxa_thread_atexit([](void*) { end_root(); }, nullptr, &__dso_handle);
  // Static objects that are destroyed later still may use the library, but nobody would end their tasks.
  this_worker()->joins_at_once = program_ends.load(std::memory_order_relaxed);
  return *this_worker();
}

bool at_rest() noexcept {
  if (const Controlled* const run = enter().controlled) return run->at_rest();
  return t_root != nullptr && t_root->at_rest();
}

}  // namespace anyorder::runtime
