#include "shadow/reservation.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

#include "support/check.hpp"
#include "support/spin_lock.hpp"

namespace anyorder::shadow {
namespace {

// Room on both sides of a large reservation.
constexpr std::size_t kMargin = std::size_t{1} << 40U;

// A page that nobody may touch on either side: the kernel would make one mapping of neighbours, and what is
// resident could not be told apart.
constexpr std::size_t kGuard = Area::kPage;

// All that there are.
constinit support::SpinLock list_lock;
constinit Reservation* list = nullptr;

// The place between the guards, or null and errno. At `address` if that is not 0.
char* map_at(std::uintptr_t address, std::size_t bytes) noexcept {
  const int fixed = address == 0 ? 0 : MAP_FIXED_NOREPLACE;
  const std::size_t all = bytes + 2 * kGuard;
  const long at =
      syscall(SYS_mmap, address, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  if (at == -1) return nullptr;
  char* const base = reinterpret_cast<char*>(at) + kGuard;
  if (syscall(SYS_mprotect, base, bytes, PROT_READ | PROT_WRITE) == 0) return base;
  const int error = errno;
  syscall(SYS_munmap, at, all);
  errno = error;
  return nullptr;
}

// The lowest place with room for `bytes` and the margins; 0 if there is none.
std::uintptr_t lowest_place(std::size_t bytes) {
  const auto fits = [bytes](std::uintptr_t from, std::uintptr_t to) {
    return to > from && to - from >= bytes + 2 * kGuard + 2 * kMargin;
  };
  std::uintptr_t free_from = 0;
  std::uintptr_t place = 0;
  for_each_mapping([&](AddressRange mapping, bool) {
    if (fits(free_from, mapping.begin)) {
      place = free_from + kMargin;
      return false;
    }
    free_from = mapping.end;
    return true;
  });
  if (place == 0 && fits(free_from, kUserSpaceEnd)) place = free_from + kMargin;
  return place;
}

bool overcommit_is_strict() noexcept {
  std::FILE* const file = std::fopen("/proc/sys/vm/overcommit_memory", "re");
  if (file == nullptr) return false;
  const int mode = std::fgetc(file);
  std::fclose(file);
  return mode == '2';
}

std::string reason_for_refusal() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    return "; address space is limited to " + std::to_string(limit.rlim_cur) +
           " bytes (RLIMIT_AS): lift the limit by ulimit -v unlimited";
  }
  if (overcommit_is_strict()) {
    return "; the system promises no more memory than it has (vm.overcommit_memory is 2), and counts address "
           "space that is never used: set it by sysctl vm.overcommit_memory=0";
  }
  return "; the limits are ulimit -v, vm.overcommit_memory and what else is mapped (a sanitizer's shadow?)";
}

}  // namespace

Reservation::Reservation(std::size_t bytes, const char* purpose) : bytes_(Area::rounded(bytes)) {
  if (bytes_ >= kLarge) {
    if (const std::uintptr_t place = lowest_place(bytes_); place != 0) base_ = map_at(place, bytes_);
  }
  // Also when another thread took the place: anywhere is right, if not as good.
  if (base_ == nullptr) base_ = map_at(0, bytes_);
  if (base_ == nullptr) {
    const int error = errno;
    throw std::system_error(error, std::generic_category(),
                            "anyorder: no " + std::to_string(bytes_) + " bytes of address space for " +
                                purpose + reason_for_refusal());
  }
  // Huge pages would back two megabytes for one cell, unless they are asked for (huge_pages.hpp); a core dump
  // would hold them all. Advice only.
  syscall(SYS_madvise, base_, bytes_, MADV_NOHUGEPAGE);
  syscall(SYS_madvise, base_, bytes_, MADV_DONTDUMP);
  const std::lock_guard guard(list_lock);
  next_ = list;
  list = this;
}

Reservation::~Reservation() {
  {
    const std::lock_guard guard(list_lock);
    Reservation** link = &list;
    while (*link != this) link = &(*link)->next_;
    *link = next_;
  }
  syscall(SYS_munmap, base_ - kGuard, bytes_ + 2 * kGuard);
}

bool Reservation::one_has(AddressRange mapping) noexcept {
  const std::lock_guard guard(list_lock);
  for (const Reservation* one = list; one != nullptr; one = one->next_) {
    const AddressRange all = one->range();
    if (mapping.begin >= all.begin && mapping.end <= all.end) return true;
  }
  return false;
}

Area Reservation::carve(std::size_t bytes) noexcept {
  bytes = Area::rounded(bytes);
  ANYORDER_CHECK(bytes <= bytes_ - carved_, "an area lies in its reservation");
  const Area area(base_ + carved_, bytes);
  carved_ += bytes;
  return area;
}

void Area::discard(std::size_t offset, std::size_t bytes) noexcept {
  if (bytes == 0) return;
  ANYORDER_CHECK(offset % kPage == 0 && bytes % kPage == 0 && offset <= bytes_ && bytes <= bytes_ - offset,
                 "pages to discard lie in the area");
  ANYORDER_CHECK(syscall(SYS_madvise, base_ + offset, bytes, MADV_DONTNEED) == 0,
                 "pages of a private mapping can be discarded");
}

std::size_t Reservation::resident_bytes() const {
  struct Sum {
    AddressRange all;
    std::size_t kilobytes = 0;
  } sum{range()};
  for_each_maps_line(
      "/proc/self/smaps",
      [](void* context, const MapsLine& line) {
        Sum& s = *static_cast<Sum*>(context);
        std::size_t kilobytes = 0;
        if (!line.is_mapping && line.mapping.begin >= s.all.begin && line.mapping.end <= s.all.end &&
            std::sscanf(line.text, "Rss: %zu kB", &kilobytes) == 1) {
          s.kilobytes += kilobytes;
        }
        return line.mapping.begin < s.all.end;
      },
      &sum);
  return sum.kilobytes * 1024;
}

}  // namespace anyorder::shadow
