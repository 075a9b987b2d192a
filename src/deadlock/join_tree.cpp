#include "deadlock/join_tree.hpp"

#include <unordered_set>
#include <utility>
#include <vector>

namespace anyorder::deadlock {
namespace {

// The numbers of one task's joins. If it has more, it goes on with others, and is searched for the first
// ones. There are some for 2^40 tasks.
constexpr std::uint64_t kJoinsOfATask = std::uint64_t{1} << 24U;

std::atomic<std::uint64_t> last_numbers{0};

std::uint64_t number_after(const JoinNode* older) {
  if (older != nullptr && (older->number + 1) % kJoinsOfATask != 0) return older->number + 1;
  return (last_numbers.fetch_add(1, std::memory_order_relaxed) + 1) * kJoinsOfATask;
}

// Whether the join of that number, which is not 0, is the first of the list or one before.
bool is_among(std::uint64_t join, const JoinNode& list) {
  return join / kJoinsOfATask == list.number / kJoinsOfATask && join <= list.number;
}

}  // namespace

void drop_node_reference(JoinNode* list) noexcept {
  // Dead nodes whose older joins are still to be dropped, linked by `inner`.
  JoinNode* halfway = nullptr;
  for (;;) {
    while (list != nullptr && list->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      if (list->forks.set != nullptr) list->forks.set->drop_reference();
      JoinNode* const inner = std::exchange(list->inner, halfway);
      halfway = list;
      list = inner;
    }
    if (halfway == nullptr) return;
    JoinNode* const dead = halfway;
    halfway = dead->inner;
    list = dead->older;
    destroy(dead);
  }
}

JoinNode* push(const Snapshot& forks, JoinNode* inner, JoinNode* older) {
  Snapshot kept = forks;
  if (kept.set != nullptr && !kept.set->has_elements()) kept = {};
  if (kept.set != nullptr) kept.set->add_reference();
  add_reference(inner);
  auto* const node = make<JoinNode>();
  node->forks = kept;
  node->inner = inner;
  node->older = older;
  node->length = older == nullptr ? 1 : older->length + 1;
  return node;
}

JoinNode* push_join(const Snapshot& forks, JoinNode* inner, JoinNode* older) {
  JoinNode* const node = push(forks, inner, older);
  node->number = number_after(older);
  if (node->forks.set != nullptr) node->forks.set->joined_by(node->number);
  return node;
}

namespace {

// Whether anything in the list is of use; true as well where that takes more than a few looks.
bool may_be_of_use(const JoinNode* list) {
  constexpr int kMostLooks = 16;
  const JoinNode* waiting[kMostLooks];
  int waits = 0;
  for (int looks = 0; looks != kMostLooks; ++looks) {
    if (list == nullptr) {
      if (waits == 0) return false;
      list = waiting[--waits];
    }
    if (is_of_use(list->forks, nullptr)) return true;
    if (list->inner != nullptr) waiting[waits++] = list->inner;
    list = list->older;
  }
  return true;
}

}  // namespace

JoinNode* pruned(JoinNode* list) {
  struct Content {
    const TimedSet* set;
    const JoinNode* inner;
    bool operator==(const Content&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Content& content) const noexcept {
      return std::hash<const void*>{}(content.set) * 31 + std::hash<const void*>{}(content.inner);
    }
  };
  std::vector<const JoinNode*> kept;
  std::unordered_set<Content, Hash> seen;
  for (const JoinNode* node = list; node != nullptr; node = node->older) {
    // The first of two that tell of the same task is the later one, and tells no less.
    if ((is_of_use(node->forks, nullptr) || may_be_of_use(node->inner)) &&
        seen.insert({node->forks.set, node->inner}).second) {
      kept.push_back(node);
    }
  }
  if (list == nullptr || kept.size() == list->length) return list;
  JoinNode* rest = nullptr;
  for (; !kept.empty(); kept.pop_back()) {
    rest = push(kept.back()->forks, kept.back()->inner, rest);
    rest->number = kept.back()->number;
  }
  // No number is given twice, also if the last join is among those that go.
  if (rest != nullptr) rest->number = list->number;
  drop_reference(list);
  return rest;
}

struct TreeSearch::Visited {
  std::unordered_set<const JoinNode*> nodes;
  std::vector<const JoinNode*> waiting;  // lists of which the search has taken an inner one first
};

void TreeSearch::forget_visits() noexcept { delete visited_; }

bool TreeSearch::is_first_visit(const JoinNode& node) {
  // With one reference there is one way to it. If others have gone meanwhile, a second visit does no harm.
  if (node.references.load(std::memory_order_relaxed) == 1) return true;
  if (visited_ == nullptr) visited_ = new Visited;
  return visited_->nodes.insert(&node).second;
}

bool TreeSearch::is_in(const JoinNode* list) {
  // It told of the whole set: of an ended task's.
  const std::uint64_t join = label_.set == nullptr ? 0 : label_.set->last_join();
  const std::size_t outer = visited_ == nullptr ? 0 : visited_->waiting.size();
  for (;;) {
    // A node that was visited has led to all that is behind it.
    while (list != nullptr) {
      if (join != 0 && is_among(join, *list)) {
        ++visits_;
        return true;
      }
      if (!is_first_visit(*list)) break;
      ++visits_;
      if (is_in(list->forks)) return true;
      if (list->inner == nullptr) {
        list = list->older;
        continue;
      }
      if (list->older != nullptr) {
        if (visited_ == nullptr) visited_ = new Visited;
        visited_->waiting.push_back(list->older);
      }
      list = list->inner;
    }
    if (visited_ == nullptr || visited_->waiting.size() == outer) return false;
    list = visited_->waiting.back();
    visited_->waiting.pop_back();
  }
}

}  // namespace anyorder::deadlock
