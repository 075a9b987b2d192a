#include "binding/check/whole_stacks.hpp"

#include <algorithm>
#include <utility>

#include "events/running_task.hpp"

namespace anyorder::binding {

namespace {

// Longer ones are hard to see for a reader, too.
constexpr std::size_t kLongestPeriod = 8;
// A chain of calls is worth to be folded if it is there so often.
constexpr std::size_t kFewestRounds = 3;
constexpr std::size_t kOutermost = kMostFrames / 4;

struct Repetition {
  std::size_t period = 1;
  std::size_t rounds = 1;
};

// The longest row of equal parts from `begin` on.
Repetition repetition_at(const std::vector<std::uintptr_t>& pcs, std::size_t begin) {
  Repetition best;
  for (std::size_t period = 1; period <= kLongestPeriod && begin + 2 * period <= pcs.size(); ++period) {
    std::size_t end = begin + period;
    while (end != pcs.size() && pcs[end] == pcs[end - period]) ++end;
    const std::size_t rounds = (end - begin) / period;
    if (rounds >= kFewestRounds && rounds * period > best.rounds * best.period) best = {period, rounds};
  }
  return best;
}

}  // namespace

void WholeStacks::grow(std::size_t depth) {
  const events::InsideTool inside;
  calls_.resize(std::max<std::size_t>(1024, 2 * (depth + 1)));
}

StackNumber WholeStacks::at(std::size_t begin, std::size_t end) {
  std::size_t known = end;
  while (known > begin && calls_[known - 1].stack == 0) --known;
  StackNumber stack = known > begin ? calls_[known - 1].stack : 0;
  for (; known < end; ++known) {
    stack = child(stack, calls_[known].return_address);
    calls_[known].stack = stack;
  }
  return stack;
}

std::vector<std::uintptr_t> WholeStacks::callers(StackNumber stack) const {
  std::vector<std::uintptr_t> found;
  if (stack == kNotKept) return found;
  for (StackNumber at = stack; at != 0; at = nodes_[at - 1].caller) {
    found.push_back(nodes_[at - 1].return_address);
  }
  return found;
}

std::size_t WholeStacks::slot_of(StackNumber caller, std::uintptr_t return_address) const {
  const std::uint64_t mixed = (return_address ^ std::uint64_t{caller} << 40U) * 0x9e37'79b9'7f4a'7c15U;
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = (mixed ^ mixed >> 32U) & mask;
  while (index_[slot] != 0) {
    const Node& node = nodes_[index_[slot] - 1];
    if (node.caller == caller && node.return_address == return_address) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

void WholeStacks::make_room() {
  index_.assign(std::max<std::size_t>(1024, 2 * index_.size()), 0);
  for (std::size_t i = 0; i != nodes_.size(); ++i) {
    index_[slot_of(nodes_[i].caller, nodes_[i].return_address)] = static_cast<StackNumber>(i + 1);
  }
}

StackNumber WholeStacks::child(StackNumber caller, std::uintptr_t return_address) {
  if (caller == kNotKept) return kNotKept;
  if (2 * nodes_.size() >= index_.size()) make_room();
  StackNumber& number = index_[slot_of(caller, return_address)];
  if (number != 0) return number;
  if (nodes_.size() == most_) return kNotKept;
  nodes_.push_back({return_address, caller});
  number = static_cast<StackNumber>(nodes_.size());
  return number;
}

findings::Trace readable_trace(const std::vector<std::uintptr_t>& pcs) {
  findings::Trace::Frames frames;
  for (std::size_t at = 0; at < pcs.size();) {
    const Repetition repeated = repetition_at(pcs, at);
    for (std::size_t i = 0; i != repeated.period; ++i) frames.push_back({pcs[at + i], {}});
    if (repeated.rounds > 1) {
      frames.back().skipped = {(repeated.rounds - 1) * repeated.period, repeated.period};
    }
    at += repeated.rounds * repeated.period;
  }
  if (frames.size() > kMostFrames) {
    const auto first = frames.begin() + (kMostFrames - kOutermost);
    const auto last = frames.end() - kOutermost;
    findings::Skipped skipped;
    for (auto frame = first; frame != last; ++frame) skipped.calls += 1 + frame->skipped.calls;
    // What the last one that stays repeats is left out with the rest.
    skipped.calls += (first - 1)->skipped.calls;
    (first - 1)->skipped = skipped;
    frames.erase(first, last);
  }
  return findings::Trace(std::move(frames));
}

}  // namespace anyorder::binding
