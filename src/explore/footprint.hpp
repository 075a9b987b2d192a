// What a piece of a run, or all that was seen of a task, did to memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "explore/word_map.hpp"

namespace anyorder::exploring {

struct BytesTouched {
  ByteMask read = 0;
  ByteMask written = 0;

  void add(ByteMask bytes, bool write) { (write ? written : read) |= bytes; }
  [[nodiscard]] bool conflicts_with(const BytesTouched& other) const {
    return ((read | written) & other.written) != 0 || (written & other.read) != 0;
  }
};

using Footprint = WordMap<BytesTouched>;

// The same with the highest number of sections that the task had entered when it did.
struct TouchedUpTo {
  BytesTouched bytes;
  std::uint32_t last_read = 0;
  std::uint32_t last_written = 0;

  // Whether there was something new.
  bool add(ByteMask mask, bool write, std::uint32_t sections) {
    const BytesTouched before = bytes;
    bytes.add(mask, write);
    std::uint32_t& last = write ? last_written : last_read;
    const bool later = sections > last;
    last = std::max(last, sections);
    return later || before.read != bytes.read || before.written != bytes.written;
  }
  [[nodiscard]] BytesTouched from(std::uint32_t sections) const {
    return {last_read >= sections ? bytes.read : ByteMask{0},
            last_written >= sections ? bytes.written : ByteMask{0}};
  }
};

using Touches = WordMap<TouchedUpTo>;

// A task as the same child of the same parents, in any order of sections.
using Lineage = std::uint64_t;

// What tasks were seen to touch, in all runs so far, themselves or by tasks that they created. Grows only.
class Learnt {
 public:
  void add(Lineage lineage, Word word, ByteMask bytes, bool write, std::uint32_t sections) {
    if (bytes != 0 && by_lineage_[lineage][word].add(bytes, write, sections)) ++version_;
  }
  // Whether such a task, once it has entered so many sections, may touch something in conflict with that.
  [[nodiscard]] bool may_conflict(Lineage lineage, std::uint32_t sections, const Footprint& with) const {
    const auto found = by_lineage_.find(lineage);
    if (found == by_lineage_.end()) return false;
    const Touches& touches = found->second;
    if (touches.size() < with.size()) {
      return std::any_of(touches.begin(), touches.end(), [&](const auto& entry) {
        const BytesTouched* const other = with.find(entry.word);
        return other != nullptr && other->conflicts_with(entry.value.from(sections));
      });
    }
    return std::any_of(with.begin(), with.end(), [&](const auto& entry) {
      const TouchedUpTo* const other = touches.find(entry.word);
      return other != nullptr && entry.value.conflicts_with(other->from(sections));
    });
  }
  // each(lineage, touches)
  template <class Each>
  void for_each(Each each) const {
    for (const auto& [lineage, touches] : by_lineage_) each(lineage, touches);
  }
  [[nodiscard]] std::size_t size() const { return by_lineage_.size(); }
  // Another number: something was learnt in between.
  [[nodiscard]] std::uint64_t version() const { return version_; }

 private:
  std::unordered_map<Lineage, Touches> by_lineage_;
  std::uint64_t version_ = 0;
};

}  // namespace anyorder::exploring
