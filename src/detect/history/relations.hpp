// How earlier tasks stand to the one that runs, remembered until the next task operation; and what the
// program's own hooks may know of it (events/quick.hpp).
//
// Contract: one thread. `order` outlives it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "detect/history/cell.hpp"
#include "detect/history/ids.hpp"
#include "detect/history/order.hpp"
#include "events/quick.hpp"

namespace anyorder::detect::history {

template <Order O>
class Relations {
 public:
  explicit Relations(O& order) : order_(order) {}

  // Thorough: never unknown.
  template <bool kThorough>
  [[nodiscard, gnu::always_inline]] inline Relation of(TaskId earlier) {
    const Known& known = known_[slot_of(earlier)];
    const Relation found = known.key == key_of(earlier) ? known.relation
                           : kThorough                  ? find(earlier)
                                                        : find_at_once(earlier);
    tell_thread(earlier, found);
    return found;
  }
  // Whether one earlier task is the one that runs, or precedes it.
  template <bool kThorough>
  [[nodiscard, gnu::always_inline]] inline bool precedes(Accessors earlier, std::uint32_t tag) {
    return earlier.is(tag) || of<kThorough>(earlier.task()) == Relation::precedes;
  }

  // After a task operation; all tasks below `over` precede all that is to come.
  static void forget(TaskId over) noexcept {
    for (std::uint32_t& tag : anyorder_quick_thread_3.precede) tag = 0;
    anyorder_quick_thread_3.stands = 0;
    anyorder_quick_thread_3.over = over;
    static_assert(tag_of(0) == 1);  // so that `over` is the tag of the last one
  }
  // The same at the beginning of a task: who stood for the readers of the one before mostly stands for its
  // readers, too, and to find that out here costs less than an access that does not know it.
  void forget_but_who_stands(TaskId over) noexcept {
    forget(over);
    if (stood_ != kNoTask && order_.relation_at_once(stood_) == Relation::stands) {
      anyorder_quick_thread_3.stands = tag_of(stood_);
    }
  }

 private:
  struct Known {
    std::uint64_t key = ~std::uint64_t{0};
    Relation relation = Relation::unknown;
  };

  // The hooks may decide by it until the next task operation.
  [[gnu::always_inline]] inline void tell_thread(TaskId earlier, Relation relation) noexcept {
    events::QuickThread& own = anyorder_quick_thread_3;
    if (relation == Relation::precedes)
      own.precede[events::precede_slot_of(tag_of(earlier))] = tag_of(earlier);
    if (relation == Relation::stands) {
      own.stands = tag_of(earlier);
      stood_ = earlier;
    }
  }
  [[nodiscard]] Relation find_at_once(TaskId earlier) {
    const Relation relation = order_.relation_at_once(earlier);
    if (relation == Relation::unknown) return relation;
    known_[slot_of(earlier)] = {key_of(earlier), relation};
    return relation;
  }
  [[nodiscard, gnu::noinline]] Relation find(TaskId earlier) {
    const Relation relation = order_.relation_of(earlier);
    known_[slot_of(earlier)] = {key_of(earlier), relation};
    return relation;
  }
  // Of a task and of now, up to 2^33 task operations.
  [[nodiscard]] std::uint64_t key_of(TaskId task) const noexcept { return order_.epoch() << 31U | task; }
  static constexpr std::size_t kKnown = 256;
  [[nodiscard]] static std::size_t slot_of(TaskId task) noexcept { return task * 0x9e37'79b1U >> 24U; }
  static_assert(kKnown == std::size_t{1} << 8U);

  O& order_;
  TaskId stood_ = kNoTask;  // the last one that was found to
  std::array<Known, kKnown> known_{};
};

}  // namespace anyorder::detect::history
