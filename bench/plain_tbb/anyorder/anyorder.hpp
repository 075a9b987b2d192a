// finish, async, forasync and forall on plain oneTBB, for the programs of bench/programs: found in the place
// of the public header, it makes the same source a program that has nothing of this project in it. A finish
// is a tbb::task_group, a loop a tbb::parallel_for.
//
// Contract: ANYORDER_WORKERS is the number of threads. A task must not throw. What oneTBB itself does is in
// plain_tbb.cpp, which no sanitizer instruments, as Debian's libtbb is; ThreadSanitizer is told here what
// comes before what, so that it does the work that it would do for a program whose locks it sees.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ANYORDER_PLAIN_TBB_TSAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define ANYORDER_PLAIN_TBB_TSAN 1
#endif

#if defined(ANYORDER_PLAIN_TBB_TSAN)
extern "C" void __tsan_acquire(void* address);  // NOLINT(bugprone-reserved-identifier)
extern "C" void __tsan_release(void* address);  // NOLINT(bugprone-reserved-identifier)
#endif

namespace anyorder {
namespace plain_tbb {

// One object that tasks order themselves by: what came before a release comes before what follows an acquire.
class Order {
 public:
#if defined(ANYORDER_PLAIN_TBB_TSAN)
  void acquire() { __tsan_acquire(&address_); }
  void release() { __tsan_release(&address_); }
#else
  void acquire() {}
  void release() {}
#endif

 private:
  [[maybe_unused]] char address_ = 0;
};

// A finish.
class Group {
 public:
  Group();
  ~Group();  // after wait()
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  using TaskBody = void (*)(Group& group, void* closure);
  using LoopBody = void (*)(Group& group, const void* closure, std::size_t first, std::size_t end);

  // body(*this, closure) in a task.
  void run(TaskBody body, void* closure);
  // body(*this, closure, first, end) for parts of [0, count); returns when all were called.
  void loop(std::size_t count, LoopBody body, const void* closure);
  void wait();

  Order created;  // from creators to tasks
  Order ended;    // from tasks to who waits

 private:
  alignas(std::max_align_t) std::array<std::byte, 192> group_;
};

// The finish that joins what this thread creates.
[[nodiscard]] Group* current_group();
void set_current_group(Group* group);

// While it lives, tasks are created in this group.
class InGroup {
 public:
  explicit InGroup(Group* group) : before_(current_group()) { set_current_group(group); }
  ~InGroup() { set_current_group(before_); }
  InGroup(const InGroup&) = delete;
  InGroup& operator=(const InGroup&) = delete;

 private:
  Group* before_;
};

// What a task or a part of a loop runs in.
template <class F>
void run_in(Group& group, const F& f) {
  group.created.acquire();
  {
    const InGroup in(&group);
    f();
  }
  group.ended.release();
}

template <class F>
void run_task(Group& group, void* closure) {
  run_in(group, [closure] { (*std::unique_ptr<F>(static_cast<F*>(closure)))(); });
}

template <class Index, class Body>
void run_loop(Group& group, Index begin, Index end, const Body& body) {
  struct Loop {
    Index begin;
    const Body* body;
  };
  if (!(begin < end)) return;
  const Loop loop{begin, &body};
  group.created.release();
  group.loop(
      static_cast<std::size_t>(end - begin),
      [](Group& of, const void* closure, std::size_t first, std::size_t last) {
        run_in(of, [closure, first, last] {
          const Loop here = *static_cast<const Loop*>(closure);
          for (std::size_t i = first; i < last; ++i)
            (*here.body)(static_cast<Index>(here.begin + static_cast<Index>(i)));
        });
      },
      &loop);
  group.ended.acquire();
}

}  // namespace plain_tbb

template <class F>
void finish(F&& f) {
  plain_tbb::Group group;
  {
    const plain_tbb::InGroup in(&group);
    std::forward<F>(f)();
  }
  group.wait();
  group.ended.acquire();
}

template <class F>
void async(F&& f) {
  using Closure = std::decay_t<F>;
  plain_tbb::Group* const group = plain_tbb::current_group();
  auto closure = std::make_unique<Closure>(std::forward<F>(f));
  group->created.release();
  group->run(&plain_tbb::run_task<Closure>, closure.release());
}

template <class Index, class Body>
void forasync(Index begin, Index end, Body&& body) {
  plain_tbb::Group* const group = plain_tbb::current_group();
  async([group, begin, end, body = std::forward<Body>(body)] {
    plain_tbb::run_loop(*group, begin, end, body);
  });
}

template <class Index, class Body>
void forall(Index begin, Index end, Body&& body) {
  finish([&] { plain_tbb::run_loop(*plain_tbb::current_group(), begin, end, body); });
}

}  // namespace anyorder
