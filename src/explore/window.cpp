#include "explore/window.hpp"

#include <utility>

namespace anyorder::exploring {

void Window::clear() {
  steps_.clear();
  free_steps_.clear();
  in_use_.clear();
  at_word_.clear();
  accesses_.clear();
  free_ = kNone;
}

StepId Window::new_step(TaskNumber task, const Section& section) {
  StepId id = 0;
  if (free_steps_.empty()) {
    id = static_cast<StepId>(steps_.size());
    steps_.emplace_back();
  } else {
    id = free_steps_.back();
    free_steps_.pop_back();
  }
  steps_[id] = {task, section, kNone};
  in_use_.insert(id);
  return id;
}

Window::Index Window::new_access() {
  if (free_ == kNone) {
    accesses_.emplace_back();
    return static_cast<Index>(accesses_.size());
  }
  return std::exchange(free_, at(free_).next_of_step);
}

void Window::add(StepId step, Word word, ByteMask bytes, bool write, std::uintptr_t site) {
  Index& first = at_word_[word];
  Index index = first;
  while (index != kNone && at(index).step != step) index = at(index).next_at_word;
  if (index == kNone) {
    index = new_access();
    at(index) = {word, {}, step, site, site, first, steps_[step].first};
    first = index;
    steps_[step].first = index;
  }
  Access& access = at(index);
  (write ? access.write_site : access.read_site) = site;
  access.bytes.add(bytes, write);
  access.bytes.read &= static_cast<ByteMask>(~access.bytes.written);  // a write is the stronger one
}

void Window::unlink_from_word(Index index) {
  Index* link = at_word_.find(at(index).word);
  while (*link != index) link = &at(*link).next_at_word;
  *link = at(index).next_at_word;
}

void Window::remove(StepId step) {
  Index index = steps_[step].first;
  while (index != kNone) {
    unlink_from_word(index);
    const Index next = at(index).next_of_step;
    at(index).next_of_step = std::exchange(free_, index);
    index = next;
  }
  steps_[step].first = kNone;
  in_use_.erase(step);
  free_steps_.push_back(step);
}

std::optional<SeenAccess> Window::racing_with(Word word, ByteMask bytes, bool write, const BitSet& known,
                                              const Section& section, std::vector<StepId>& overtaken) const {
  BytesTouched here;
  here.add(bytes, write);
  const Index* const first = at_word_.find(word);
  for (Index index = first == nullptr ? kNone : *first; index != kNone; index = at(index).next_at_word) {
    const Access& other = at(index);
    if (!here.conflicts_with(other.bytes) || known.contains(other.step)) continue;
    const Step& step = steps_[other.step];
    if (step.section.excludes(section)) {
      overtaken.push_back(other.step);
      continue;
    }
    const bool other_writes = (other.bytes.written & bytes) != 0;
    return SeenAccess{step.task, other_writes, other_writes ? other.write_site : other.read_site};
  }
  return std::nullopt;
}

void Window::merge(StepId from, StepId into) {
  for (Index index = steps_[from].first; index != kNone; index = at(index).next_of_step) {
    const Access access = at(index);
    if (access.bytes.read != 0) add(into, access.word, access.bytes.read, false, access.read_site);
    if (access.bytes.written != 0) add(into, access.word, access.bytes.written, true, access.write_site);
  }
  remove(from);
}

void Window::drop_dominated(const std::vector<BitSet>& anchors) {
  in_use_.for_each([&](std::size_t step) {
    for (Index index = steps_[step].first; index != kNone; index = at(index).next_of_step) {
      Access& access = at(index);
      for (Index other = *at_word_.find(access.word); other != kNone; other = at(other).next_at_word) {
        const Access& by = at(other);
        if (by.step == step || steps_[by.step].section.entered) continue;
        if (!anchors[by.step].is_subset_of(anchors[step])) continue;
        access.bytes.read &= static_cast<ByteMask>(~(by.bytes.read | by.bytes.written));
        access.bytes.written &= static_cast<ByteMask>(~by.bytes.written);
      }
    }
  });
}

Digest Window::digest_of(StepId step) const {
  Digest sum;
  for (Index index = steps_[step].first; index != kNone; index = at(index).next_of_step) {
    const Access& access = at(index);
    if ((access.bytes.read | access.bytes.written) == 0) continue;
    sum += folded(folded(Digest{}, access.word),
                  static_cast<std::uint64_t>(access.bytes.read) << 8U | access.bytes.written);
  }
  return sum;
}

void Window::add_to(Footprint& footprint, StepId step) const {
  for (Index index = steps_[step].first; index != kNone; index = at(index).next_of_step) {
    BytesTouched& bytes = footprint[at(index).word];
    bytes.read |= at(index).bytes.read;
    bytes.written |= at(index).bytes.written;
  }
}

}  // namespace anyorder::exploring
