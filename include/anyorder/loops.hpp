// forasync and forall: one logical task per index.
//
// Without a tool attached the indexes are not made into tasks one by one: a piece of the range runs its
// indexes in growing chunks, and gives half of what is left away whenever its worker has nothing else to
// offer. Indexes of one piece run one after another; that adds no deadlock, since nobody can hold a handle
// of what an index has not created yet. A piece that has to wait gives its rest away first.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
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
// The index that is being run ended by the exception in flight.
ANYORDER_API void index_failed(LoopTask& piece) noexcept;
[[noreturn]] ANYORDER_API void throw_range_error(source_site site);

// The loop's body, shared by all its tasks.
template <class Body>
class SharedBody {
  struct Block {
    template <class B>
    explicit Block(B&& b) : body(std::forward<B>(b)) {}
    std::atomic<std::size_t> references{1};
    const Body body;
  };

 public:
  template <class B>
  requires(!std::same_as<std::remove_cvref_t<B>, SharedBody>) explicit SharedBody(B&& body)
      : block_(new Block(std::forward<B>(body))) {}
  SharedBody(const SharedBody& other) noexcept : block_(other.block_) {
    block_->references.fetch_add(1, std::memory_order_relaxed);
  }
  SharedBody(SharedBody&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  SharedBody& operator=(const SharedBody&) = delete;
  ~SharedBody() {
    if (block_ != nullptr && block_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete block_;
  }
  const Body& operator*() const noexcept { return block_->body; }

 private:
  Block* block_;
};

// Where a loop begins, and the way from the number of an iteration to its index. Counting is unsigned, so
// that no range overflows.
template <class Index>
struct LoopBase {
  using Count = std::make_unsigned_t<Index>;
  Index begin;
  Index at(Count k) const noexcept { return static_cast<Index>(static_cast<Count>(begin) + k); }
};

template <class Index, class Body>
struct LoopPiece final : LoopTask {
  using Count = typename LoopBase<Index>::Count;

  LoopPiece(source_site created_at, SharedBody<Body> shared, LoopBase<Index> first, Count from, Count to)
      : LoopTask(kOps, created_at), body(std::move(shared)), base(first), next(from), end(to) {}

  static void run(Task& task) {
    auto& self = static_cast<LoopPiece&>(task);
    Count chunk = 1;
    while (self.next < self.end) {
      if (self.end - self.next > 1 && wants_split()) {
        self.give_away(self.next + (self.end - self.next) / 2);
        chunk = 1;
      }
      const Count left = self.end - self.next;
      const Count first = self.next;
      const Count stop = first + std::min(chunk, std::max<Count>(1, left / 8));
      self.next = stop;
      self.run_indexes(first, stop);
      chunk = std::min<Count>(chunk, left) * 2;
    }
  }

  void run_indexes(Count first, Count stop) {
    const Body& f = *body;
    for (Count k = first; k != stop; ++k) {
      try {
        f(base.at(k));
      } catch (...) {
        index_failed(*this);
      }
    }
  }

  void give_away(Count from) {
    const Count to = std::exchange(end, from);
    spawn(new_task<LoopPiece>(TaskKind::loop, site, body, base, from, to));
  }

  static void give_away_rest(Task& task) {
    auto& self = static_cast<LoopPiece&>(task);
    if (self.next < self.end) self.give_away(self.next);
  }

  static constexpr TaskOps kOps{TaskKind::loop, &run, &dispose_task<LoopPiece>, &give_away_rest};

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
  using Index = decltype(+std::common_type_t<Begin, End>{});
  using Shared = detail::SharedBody<std::decay_t<Body>>;
  if (!std::cmp_less(+begin, +end)) return;
  if (!std::in_range<Index>(+begin)) detail::throw_range_error(site);
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
