#include "shadow/huge_pages.hpp"

#include <algorithm>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace anyorder::shadow {
namespace {

constexpr std::size_t kPartOfMemory = 2;

}  // namespace

std::size_t HugePages::pages_allowed() noexcept {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return 0;
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) / kPartOfMemory / kPage;
}

HugePages::HugePages(const Area& area, Reservation& from, std::size_t most_pages) noexcept
    : base_(reinterpret_cast<std::uintptr_t>(area.base())),
      first_(base_ / kPage),
      asked_(from.carve(bytes_for(area.bytes())).base()),
      most_pages_(most_pages) {}

void HugePages::expect(std::size_t offset, std::size_t bytes) noexcept {
  const std::uintptr_t begin = (base_ + offset + kPage - 1) / kPage;
  const std::uintptr_t end = (base_ + offset + bytes) / kPage;
  for (std::uintptr_t at = begin; at < end;) {
    // Those in sequence that were not asked for.
    std::uintptr_t past = at;
    while (past < end && std::atomic_ref(asked_[past - first_]).exchange(1, std::memory_order_relaxed) == 0) {
      ++past;
    }
    if (past == at) {
      ++at;
      continue;
    }
    const std::size_t count = past - at;
    const std::size_t before = pages_.fetch_add(count, std::memory_order_relaxed);
    const std::size_t allowed = before < most_pages_ ? std::min(count, most_pages_ - before) : 0;
    if (allowed < count) pages_.fetch_sub(count - allowed, std::memory_order_relaxed);
    if (allowed == 0) return;
    if (pieces_.fetch_add(1, std::memory_order_relaxed) >= kMostPieces) {
      pages_.fetch_sub(allowed, std::memory_order_relaxed);
      return;
    }
    syscall(SYS_madvise, at * kPage, allowed * kPage, MADV_HUGEPAGE);
    at = past;
  }
}

}  // namespace anyorder::shadow
