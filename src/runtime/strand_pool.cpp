#include "runtime/strand_pool.hpp"

#include <memory>
#include <mutex>
#include <vector>

#include "runtime/scheduler.hpp"

namespace anyorder::runtime {
namespace {

constexpr std::size_t kStrandStack = std::size_t{8} << 20;
constexpr std::size_t kKeptPages = std::size_t{64} << 10;  // what a kept strand may leave in memory
constexpr std::size_t kMostOfWorker = 8;
constexpr std::size_t kMostShared = kMostSuspended;

struct Shared {
  std::mutex mutex;
  std::vector<std::unique_ptr<Strand>> spare;
};

Shared& shared() noexcept {
  static auto& only = *new Shared;  // never destroyed, like the workers
  return only;
}

}  // namespace

Strand& take_strand(Worker& worker) {
  if (worker.spare.empty()) {
    const std::lock_guard lock(shared().mutex);
    auto& spare = shared().spare;
    if (!spare.empty()) {
      worker.spare.push_back(std::move(spare.back()));
      spare.pop_back();
    }
  }
  if (worker.spare.empty()) return *new Strand(support::StackMemory(kStrandStack), &schedule);
  Strand& strand = *worker.spare.back().release();
  worker.spare.pop_back();
  return strand;
}

void keep_strand(Worker& worker, Strand& strand) noexcept {
  std::unique_ptr<Strand> kept(&strand);
  strand.forget_below(kKeptPages);
  if (worker.spare.size() < kMostOfWorker) {
    worker.spare.push_back(std::move(kept));
    return;
  }
  const std::lock_guard lock(shared().mutex);
  if (shared().spare.size() < kMostShared) shared().spare.push_back(std::move(kept));
}

}  // namespace anyorder::runtime
