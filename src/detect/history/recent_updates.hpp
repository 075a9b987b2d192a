// What one access did to the cells of whole words that it has been through: words with the same cell get the
// same, without another decision.
//
// Contract: of one access, by one task at one site. What it did to a cell follows from the cell, as long as
// it is not split and nothing was found; a race is told for each word.
#pragma once

#include <array>
#include <cstddef>

#include "detect/history/cell.hpp"
#include "shadow/cell.hpp"

namespace anyorder::detect::history {

class RecentUpdates {
 public:
  struct Update {
    Cell before;
    Cell after;
    bool changes;
  };

  // Null: none.
  [[nodiscard]] const Update* find(const Cell& cell) const noexcept {
    for (std::size_t i = 0; i != count_; ++i) {
      if (shadow::same_history(updates_[i].before, cell)) return &updates_[i];
    }
    return nullptr;
  }
  const Update& add(const Cell& before, const Cell& after) noexcept {
    Update& update = updates_[next_];
    update = {before, after, !shadow::same_history(before, after)};
    next_ = (next_ + 1) % kKept;
    if (count_ != kKept) ++count_;
    return update;
  }

 private:
  // Enough for the members of a structure of which there is an array.
  static constexpr std::size_t kKept = 4;

  std::array<Update, kKept> updates_;  // the first count_ of them
  std::size_t count_ = 0;
  std::size_t next_ = 0;
};

}  // namespace anyorder::detect::history
