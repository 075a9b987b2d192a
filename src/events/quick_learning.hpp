// How a thread comes to know what events/quick.hpp lets it decide by itself: from accesses that the detector
// made by try_read and try_write, with the word's cell before and after.
#pragma once

#include <cstdint>

#include "events/quick.hpp"

namespace anyorder::events {

// What a place is from now on, if it was another one; `number` is the detector's word for it.
inline void learn_place(QuickPlace& place, std::uintptr_t pc, std::uint64_t context,
                        std::uint32_t number) noexcept {
  if (place.pc != pc || place.context != context) place = {pc, context, number << 8U, {}};
}

class QuickLearning {
 public:
  // Before an access by the thread that runs a task. `cells` outlive it.
  QuickLearning(char* cells, std::uintptr_t address) noexcept
      : cells_(cells), before_(QuickCell::at(cells, address)), address_(address) {}

  // After it was made, at this place. `place_of()` is the detector's word for the place, 0 if it has none.
  template <Access kAccess, class PlaceOf>
  void learn(std::uintptr_t pc, std::uint64_t context, PlaceOf place_of) const noexcept {
    const QuickCell& now = QuickCell::at(cells_, address_);
    if (before_.is_elsewhere() || now.is_elsewhere()) return;
    if constexpr (kAccess == Access::read) {
      learn_step(before_.reader, now.reader, pc, context, place_of);
    } else {
      learn_step(before_.writer, now.writer, pc, context, place_of);
    }
  }

 private:
  template <class PlaceOf>
  void learn_step(const QuickAccess& before, const QuickAccess& after, std::uintptr_t pc,
                  std::uint64_t context, PlaceOf place_of) const noexcept {
    const QuickThread& own = anyorder_quick_thread_3;
    QuickPlace& place = quick_place_of(own, pc);
    if (place.pc != pc || place.context != context) {
      const std::uint32_t number = place_of();
      if (number == 0) return;
      learn_place(place, pc, context, number);
    }
    const std::uint32_t tag = quick_tag_in(own.task);
    if (before.tag == tag && after.tag == tag && ((before.marks | after.marks) & QuickAccess::kMany) == 0) {
      place.steps[address_ % 8 / 2] = {before.marks, after.marks};
    }
  }

  char* cells_;
  QuickCell before_;
  std::uintptr_t address_;
};

}  // namespace anyorder::events
