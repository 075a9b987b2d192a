#include "deadlock/vector_clocks.hpp"

#include <algorithm>
#include <atomic>

namespace anyorder::deadlock {
namespace {

std::atomic<std::uint64_t> numbers{0};

auto find(auto& vector, std::uint64_t number) {
  return std::lower_bound(vector.begin(), vector.end(), number,
                          [](const VectorClocks::Entry& entry, std::uint64_t n) { return entry.first < n; });
}

void merge(VectorClocks::Vector& into, const VectorClocks::Vector& other) {
  VectorClocks::Vector both;
  both.reserve(std::max(into.size(), other.size()));
  auto a = into.begin();
  auto b = other.begin();
  while (a != into.end() && b != other.end()) {
    if (a->first < b->first) {
      both.push_back(*a++);
    } else if (b->first < a->first) {
      both.push_back(*b++);
    } else {
      both.emplace_back(a->first, std::max(a->second, b->second));
      ++a;
      ++b;
    }
  }
  both.insert(both.end(), a, into.end());
  both.insert(both.end(), b, other.end());
  into = std::move(both);
}

}  // namespace

void VectorClocks::fork(Task& parent, Task& child, bool is_future) {
  child.vector = parent.vector;
  child.born = parent.vector;
  if (!is_future) return;
  if (parent.self == 0) {
    parent.self = numbers.fetch_add(1, std::memory_order_relaxed) + 1;
    parent.vector.emplace(find(parent.vector, parent.self), parent.self, 0);
  }
  std::uint64_t& clock = find(parent.vector, parent.self)->second;
  child.label = {parent.self, clock};
  ++clock;
}

bool VectorClocks::knows(const Task& task, const Task& target) {
  const auto entry = find(task.vector, target.label.first);
  return entry != task.vector.end() && entry->first == target.label.first &&
         target.label.second < entry->second;
}

void VectorClocks::join(Task& task, const Task& target) { merge(task.vector, target.vector); }

void VectorClocks::end(Task& task, Finish& finish) {
  const std::lock_guard lock(finish.mutex);
  merge(finish.learnt, task.vector);
}

void VectorClocks::finish_end(Task& owner, Finish& finish) { merge(owner.vector, finish.learnt); }

void VectorClocks::next_index(Task& loop, Finish& finish) {
  if (loop.vector == loop.born) return;  // the rest of the loop has the same
  end(loop, finish);
  loop.vector = loop.born;
  loop.self = 0;
}

void VectorClocks::split(const Task& loop, Task& rest) { rest.vector = rest.born = loop.born; }

void VectorClocks::forget(Task& task) {
  task.vector = {};
  task.born = {};
}

}  // namespace anyorder::deadlock
