// Isolated sections: one lock for those without objects, which the others share, and a lock per group of
// objects. Groups are by hash: two objects may exclude each other without need. A section takes its groups
// in one order and takes nothing else while it runs, so that there is no deadlock.

#include "runtime/isolation.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <mutex>
#include <oneapi/tbb/rw_mutex.h>

#include "anyorder/isolated.hpp"
#include "runtime/controlled.hpp"
#include "runtime/misuse.hpp"
#include "runtime/thread_root.hpp"
#include "runtime/tool.hpp"

namespace anyorder::runtime {
namespace {

constexpr std::size_t kGroups = 64;

struct alignas(64) Group {
  std::mutex mutex;
};

struct Locks {
  tbb::rw_mutex all;
  std::array<Group, kGroups> groups;
};

Locks& locks() noexcept {
  static auto& only = *new Locks;  // never destroyed, like the workers
  return only;
}

std::atomic<bool> followed_one{false};

using GroupSet = std::uint64_t;  // one bit each

GroupSet groups_of(std::span<const void* const> objects) noexcept {
  GroupSet set = 0;
  for (const void* object : objects) {
    const std::uint64_t hash = reinterpret_cast<std::uintptr_t>(object) * 0x9E3779B97F4A7C15U;
    set |= GroupSet{1} << (hash >> 58U);
  }
  return set;
}

template <class Action>
void for_each_mutex(GroupSet set, Action action) {
  for (; set != 0; set &= set - 1) {
    action(locks().groups[static_cast<std::size_t>(std::countr_zero(set))].mutex);
  }
}

void lock(std::span<const void* const> objects) {
  if (objects.empty()) {
    locks().all.lock();
    return;
  }
  locks().all.lock_shared();
  for_each_mutex(groups_of(objects), [](std::mutex& mutex) { mutex.lock(); });
}

void unlock(std::span<const void* const> objects) noexcept {
  if (objects.empty()) {
    locks().all.unlock();
    return;
  }
  for_each_mutex(groups_of(objects), [](std::mutex& mutex) { mutex.unlock(); });
  locks().all.unlock_shared();
}

void note_section() noexcept { followed_one.store(true, std::memory_order_relaxed); }

}  // namespace

bool any_isolated() noexcept { return followed_one.load(std::memory_order_relaxed); }

}  // namespace anyorder::runtime

namespace anyorder::detail {

IsolatedSection::IsolatedSection(std::span<const void* const> on, source_site entered_at)
    : objects(on), site(entered_at) {
  runtime::Worker& worker = runtime::enter();
  if (worker.isolated != nullptr) runtime::throw_inside_isolated(site, "isolated", *worker.isolated);
  if (worker.controlled == nullptr) [[likely]] {
    runtime::lock(objects);
  } else {
    worker.controlled->await_turn(*this);
  }
  worker.isolated = this;
  if (runtime::followed) [[unlikely]] {
    runtime::note_section();
    if (runtime::attached_listener != nullptr) {
      runtime::attached_listener->isolated_entered(worker.strand->task->tool, objects,
                                                   runtime::to_event(site));
    }
  }
}

IsolatedSection::~IsolatedSection() {
  runtime::Worker& worker = *runtime::this_worker();
  if (runtime::attached_listener != nullptr) [[unlikely]] {
    runtime::attached_listener->isolated_left(worker.strand->task->tool, objects);
  }
  worker.isolated = nullptr;
  if (worker.controlled == nullptr) [[likely]]
    runtime::unlock(objects);
}

}  // namespace anyorder::detail
