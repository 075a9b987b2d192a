// forasync and forall: one logical task per index.
//
// Without a tool attached the indexes are not made into tasks one by one: a piece of the range runs its
// indexes in chunks, and between two chunks gives half of what is left away if its worker has nothing else
// to offer. A chunk is one index at first, and grows until it takes about a microsecond, which is what it
// costs when another worker takes a piece; no piece is cut that is shorter. Indexes of one piece run one
// after another; that adds no deadlock, since nobody can hold a handle of what an index has not created yet.
// A piece that has to wait gives its rest away first.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "anyorder/async.hpp"
#include "anyorder/detail/task.hpp"
#include "anyorder/finish.hpp"

namespace anyorder {
namespace detail {

// A tool wants to see every index as a task of its own.
ANYORDER_API bool wants_task_per_index() noexcept;
// The running worker's queue is empty, and there are others that could take something from it.
ANYORDER_API bool wants_split() noexcept;
// Takes one from the count; calls destroy(shared) if it was the last.
ANYORDER_API void drop_reference(std::atomic<std::size_t>& references, void (*destroy)(void*),
                                 void* shared) noexcept;
// A join policy wants to know when an index has ended that has learnt something; and one has.
ANYORDER_API bool wants_ends_of_indexes() noexcept;
ANYORDER_API void index_ended(LoopTask& piece) noexcept;
// The index that is being run ended by the exception in flight.
ANYORDER_API void index_failed(LoopTask& piece) noexcept;
[[noreturn]] ANYORDER_API void throw_range_error(source_site site);

// A clock that only has to be cheap: cycles, or nanoseconds where there is no such counter.
inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}
inline constexpr std::uint64_t kTicksOfChunk = 3000;  // about a microsecond

// The loop's body, shared by all its tasks, and the size of a chunk that they have found.
template <class Body>
class SharedBody {
  struct Block {
    template <class B>
    explicit Block(B&& b) : body(std::forward<B>(b)) {}
    std::atomic<std::size_t> references{1};
    std::atomic<std::uint64_t> chunk{1};
    const Body body;
  };

 public:
  template <class B>
  requires(!std::same_as<std::remove_cvref_t<B>, SharedBody>) explicit SharedBody(B&& body)
      : block_(new Block(std::forward<B>(body))) {}
  ANYORDER_UNCHECKED SharedBody(const SharedBody& other) noexcept : block_(other.block_) {
    block_->references.fetch_add(1, std::memory_order_relaxed);
  }
  SharedBody(SharedBody&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  SharedBody& operator=(const SharedBody&) = delete;
  ~SharedBody() {
    if (block_ == nullptr) return;
    drop_reference(
        block_->references, [](void* block) { delete static_cast<Block*>(block); }, block_);
  }
  const Body& operator*() const noexcept { return block_->body; }
  std::atomic<std::uint64_t>& chunk() const noexcept { return block_->chunk; }

 private:
  Block* block_;
};

// Where a loop begins, and the way from the number of an iteration to its index. Counting is unsigned, so
// that no range overflows.
template <class Index>
struct LoopBase {
  using Count = std::make_unsigned_t<decltype(+Index{})>;
  Index begin;
  Index at(Count k) const noexcept { return static_cast<Index>(static_cast<Count>(begin) + k); }
};

template <class Index, class Body>
struct LoopPiece final : LoopTask {
  using Count = typename LoopBase<Index>::Count;

  LoopPiece(source_site created_at, SharedBody<Body> shared, LoopBase<Index> first, Count from, Count to)
      : LoopTask(kOps, created_at), body(std::move(shared)), base(first), next(from), end(to) {}

  ANYORDER_RUNS_TASK static void run(Task& task) {
    auto& self = static_cast<LoopPiece&>(task);
    std::uint64_t chunk = self.body.chunk().load(std::memory_order_relaxed);
    std::uint64_t start = ticks();
    while (self.next < self.end) {
      std::uint64_t left = self.end - self.next;
      if (left > chunk && wants_split()) {
        self.give_away(static_cast<Count>(self.next + left / 2));
        left = self.end - self.next;
        start = ticks();
      }
      // Never most of what is left at once: the next index may cost more than all before it.
      const std::uint64_t size = std::min({chunk, left, std::max<std::uint64_t>(kAlwaysAtOnce, left / 4)});
      const Count first = self.next;
      self.next = static_cast<Count>(first + size);
      self.run_indexes(first, self.next);
      const std::uint64_t now = ticks();
      chunk = next_chunk(chunk, size, now - std::exchange(start, now));
      self.body.chunk().store(chunk, std::memory_order_relaxed);
    }
  }

  // After a chunk of that size, which may have been less than a whole one.
  static std::uint64_t next_chunk(std::uint64_t chunk, std::uint64_t size, std::uint64_t took) noexcept {
    if (took <= kTicksOfChunk / 8) return std::max(chunk, std::min(size, kLargestChunk) * 8);
    if (took <= kTicksOfChunk / 2) return std::max(chunk, size * 2);
    if (took <= kTicksOfChunk * 2) return size;
    return std::max<std::uint64_t>(1, size / (took / kTicksOfChunk));
  }

  void run_indexes(Count first, Count stop) {
    if (wants_ends_of_indexes()) [[unlikely]] {
      run_and_tell(first, stop);
      return;
    }
    const Body& f = *body;
    const Index last = base.at(stop);
    for (Index i = base.at(first); i != last; ++i) {
      try {
        f(Index{i});  // a copy, so that the loop's own need not be in memory
      } catch (...) {
        index_failed(*this);
      }
    }
  }

  // The same under a join policy. Out of line, which leaves the loop above as it would be without.
  [[gnu::noinline]] void run_and_tell(Count first, Count stop) {
    for (; first != stop; ++first) {
      try {
        (*body)(base.at(first));
      } catch (...) {
        index_failed(*this);
      }
      if (learnt) index_ended(*this);
    }
  }

  void give_away(Count from) {
    const Count to = std::exchange(end, from);
    spawn(new_task<LoopPiece>(TaskKind::loop, site, body, base, from, to), this);
  }

  static void give_away_rest(Task& task) {
    auto& self = static_cast<LoopPiece&>(task);
    if (self.next < self.end) self.give_away(self.next);
  }

  static constexpr TaskOps kOps{TaskKind::loop, &run, &dispose_task<LoopPiece>, nullptr, &give_away_rest};
  static constexpr std::uint64_t kAlwaysAtOnce = 64;
  static constexpr std::uint64_t kLargestChunk = std::uint64_t{1} << 40;  // eight times that is no overflow

  SharedBody<Body> body;
  LoopBase<Index> base;
  Count next;  // the first index of this piece that has not begun
  Count end;
};

}  // namespace detail

// One task per index in [begin, end), joined by the enclosing finish. The tasks share one copy of the body,
// which therefore has to be callable as const.
template <std::integral Begin, std::integral End, class Body>
requires std::invocable < const std::decay_t<Body>
&, std::common_type_t < Begin,
    End >> void forasync(Begin begin, End end, Body&& body, source_site site = source_site::current()) {
  using Index = std::common_type_t<Begin, End>;
  using Shared = detail::SharedBody<std::decay_t<Body>>;
  detail::require_outside_isolated(detail::TaskKind::loop, site);
  if (!std::cmp_less(+begin, +end)) return;
  if (!std::in_range<decltype(+Index{})>(+begin)) detail::throw_range_error(site);
  const detail::LoopBase<Index> base{static_cast<Index>(begin)};
  using Count = typename detail::LoopBase<Index>::Count;
  const Count count = static_cast<Count>(end) - static_cast<Count>(begin);
  Shared shared(std::forward<Body>(body));
  if (detail::wants_task_per_index()) {
    for (Count k = 0; k != count; ++k) {
      async([shared, i = base.at(k)] { static_cast<void>((*shared)(i)); }, site);
    }
  } else {
    using Piece = detail::LoopPiece<Index, std::decay_t<Body>>;
    detail::spawn(
        detail::new_task<Piece>(detail::TaskKind::loop, site, std::move(shared), base, Count{0}, count));
  }
}

// finish { forasync }
template <std::integral Begin, std::integral End, class Body>
requires std::invocable < const std::decay_t<Body>
&, std::common_type_t < Begin,
    End >> void forall(Begin begin, End end, Body&& body, source_site site = source_site::current()) {
  finish([&] { forasync(begin, end, std::forward<Body>(body), site); }, site);
}

}  // namespace anyorder
