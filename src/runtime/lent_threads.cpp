// Built without ThreadSanitizer in every preset: the hand-over of a call from thread to thread is inside
// oneTBB's library, where it does not look, so that it would report the record of each call as a race. What
// serve() touches is synchronized by our own means, and is looked at.
#include "runtime/lent_threads.hpp"

#include <cstdio>
#include <cstdlib>
#include <gnu/libc-version.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <optional>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace anyorder::runtime {
namespace {

struct Lender {
  std::optional<tbb::global_control> more_threads;
  std::optional<tbb::task_arena> arena;
};

Lender& lender() noexcept {
  static auto& only = *new Lender;  // never destroyed: threads may still serve when the program ends
  return only;
}

}  // namespace

unsigned threads_of_this_machine() noexcept {
  return static_cast<unsigned>(tbb::info::default_concurrency());
}

void allow_lent_threads(unsigned threads) {
  Lender& from = lender();
  from.arena.reset();
  from.more_threads.reset();
  if (threads == 0) return;
  const int wanted = static_cast<int>(threads) + 1;  // one place is for the thread that waits
  if (wanted > tbb::info::default_concurrency()) {
    from.more_threads.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(wanted));
  }
  from.arena.emplace(wanted, /*reserved_for_masters=*/1U);
}

void lend_one_thread() { lender().arena->enqueue(&serve); }

void exit_from_lent_thread(int status) {
  // Until version 2.40 of glibc a second call of exit does what the first has not done yet. Later ones wait
  // for the first: there, static objects that are older than the first use of the library stay as they are.
  constexpr std::string_view kFirstThatWaits = "2.41";
  const std::string_view version = gnu_get_libc_version();
  if (version.size() > kFirstThatWaits.size() || version >= kFirstThatWaits) {
    std::fflush(nullptr);
    _exit(status);
  }
  std::thread([status] { std::exit(status); }).detach();
  for (;;) pause();
}

}  // namespace anyorder::runtime
