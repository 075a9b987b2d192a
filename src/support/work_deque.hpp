// The work-stealing deque of Chase and Lev ("Dynamic circular work-stealing deque", SPAA 2005): its owner
// pushes and pops at the bottom, everybody else steals from the top.
//
// All accesses to `top_` and `bottom_` that the argument needs in one order are sequentially consistent
// operations rather than fences, which ThreadSanitizer does not see. A push is also the store side of the
// wake-up protocol: whoever pushes and then reads a count of sleepers, sequentially consistently, cannot
// miss a sleeper that has announced itself and then found this deque empty.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace anyorder::support {

template <class T>
requires(std::atomic<T>::is_always_lock_free) class WorkDeque {
 public:
  WorkDeque() { grow(0, 0); }
  WorkDeque(const WorkDeque&) = delete;
  WorkDeque& operator=(const WorkDeque&) = delete;

  // Owner only.
  void push(T item) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    const std::int64_t t = top_.load(std::memory_order_acquire);
    Ring* ring = ring_.load(std::memory_order_relaxed);
    if (b - t >= static_cast<std::int64_t>(ring->capacity())) ring = grow(t, b);
    ring->put(b, item);
    bottom_.store(b + 1, std::memory_order_seq_cst);
  }

  // Owner only: the item pushed last, or T{} if there is none.
  T pop() noexcept {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
    if (top_.load(std::memory_order_relaxed) > b) return T{};
    Ring* const ring = ring_.load(std::memory_order_relaxed);
    bottom_.store(b, std::memory_order_seq_cst);
    std::int64_t t = top_.load(std::memory_order_seq_cst);
    if (t < b) return ring->get(b);
    T item{};
    if (t == b && top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst)) item = ring->get(b);
    bottom_.store(b + 1, std::memory_order_release);
    return item;
  }

  // Owner only: what pop() would return if nobody stole it meanwhile. Not to be followed, only compared.
  T last() const noexcept {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
    if (top_.load(std::memory_order_relaxed) > b) return T{};
    return ring_.load(std::memory_order_relaxed)->get(b);
  }

  // Anybody: the oldest item if `wanted(item)`, else T{}. A lost race with another taker is T{} as well.
  template <class Predicate>
  T steal_if(Predicate wanted) noexcept {
    std::int64_t t = top_.load(std::memory_order_seq_cst);
    const std::int64_t b = bottom_.load(std::memory_order_seq_cst);
    if (t >= b) return T{};
    const T item = ring_.load(std::memory_order_acquire)->get(t);
    if (!wanted(item)) return T{};
    if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst)) return T{};
    return item;
  }

  // Anybody: whether there is an oldest item that is wanted, at some moment during the call.
  template <class Predicate>
  bool would_steal(Predicate wanted) const noexcept {
    const std::int64_t t = top_.load(std::memory_order_seq_cst);
    const std::int64_t b = bottom_.load(std::memory_order_seq_cst);
    return t < b && wanted(ring_.load(std::memory_order_acquire)->get(t));
  }

  // Anybody; exact for the owner while nobody steals.
  bool empty() const noexcept {
    return top_.load(std::memory_order_seq_cst) >= bottom_.load(std::memory_order_seq_cst);
  }

 private:
  class Ring {
   public:
    explicit Ring(std::size_t capacity) : mask_(capacity - 1), items_(new std::atomic<T>[capacity]) {}
    std::size_t capacity() const noexcept { return mask_ + 1; }
    T get(std::int64_t i) const noexcept { return slot(i).load(std::memory_order_relaxed); }
    void put(std::int64_t i, T item) noexcept { slot(i).store(item, std::memory_order_relaxed); }

   private:
    std::atomic<T>& slot(std::int64_t i) const noexcept {
      return items_[static_cast<std::size_t>(i) & mask_];
    }
    std::size_t mask_;
    std::unique_ptr<std::atomic<T>[]> items_;
  };

  // Rings that were outgrown stay: a thief may still read one. Together they are smaller than the last.
  Ring* grow(std::int64_t t, std::int64_t b) {
    constexpr std::size_t kFirstCapacity = 256;
    const std::size_t capacity = rings_.empty() ? kFirstCapacity : rings_.back()->capacity() * 2;
    auto larger = std::make_unique<Ring>(capacity);
    for (std::int64_t i = t; i < b; ++i) larger->put(i, rings_.back()->get(i));
    Ring* const ring = larger.get();
    rings_.push_back(std::move(larger));
    ring_.store(ring, std::memory_order_release);
    return ring;
  }

  alignas(64) std::atomic<std::int64_t> top_{0};
  alignas(64) std::atomic<std::int64_t> bottom_{0};
  std::atomic<Ring*> ring_{nullptr};
  std::vector<std::unique_ptr<Ring>> rings_;  // owner only
};

}  // namespace anyorder::support
