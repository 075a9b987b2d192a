#include "support/stack_memory.hpp"

#include <cerrno>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "support/check.hpp"
#include "support/sanitizers.hpp"

#if ANYORDER_ASAN
#include <sanitizer/lsan_interface.h>
#endif

namespace anyorder::support {
namespace {

// Wide enough that a function with a large frame does not step over it unnoticed.
constexpr std::size_t kGuard = std::size_t{64} << 10;

}  // namespace

StackMemory::StackMemory(std::size_t bytes, void* wanted) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  bytes = (bytes + page - 1) / page * page;
  constexpr int kKind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  if (wanted != nullptr) {
    char* const low = static_cast<char*>(wanted) + kGuard;
    void* const there = mmap(low, bytes, PROT_READ | PROT_WRITE, kKind, -1, 0);
    if (there == low) {
      low_ = low;
      bytes_ = bytes;
      return;
    }
    if (there != MAP_FAILED) munmap(there, bytes);
  }
  void* const base = mmap(nullptr, bytes + kGuard, PROT_READ | PROT_WRITE, kKind, -1, 0);
  if (base == MAP_FAILED || mprotect(base, kGuard, PROT_NONE) != 0) {
    const int error = errno;
    if (base != MAP_FAILED) munmap(base, bytes + kGuard);
    throw std::system_error(error, std::generic_category(),
                            "anyorder: no address space for a stack of " + std::to_string(bytes) +
                                " bytes (the limits are ulimit -v and vm.max_map_count)");
  }
  low_ = static_cast<char*>(base) + kGuard;
  bytes_ = bytes;
}

StackMemory::StackMemory(StackMemory&& other) noexcept
    : low_(std::exchange(other.low_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

StackMemory& StackMemory::operator=(StackMemory&& other) noexcept {
  std::swap(low_, other.low_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

StackMemory::~StackMemory() {
  if (low_ != nullptr) munmap(low_ - kGuard, bytes_ + kGuard);
}

void StackMemory::discard_below(std::size_t uppermost) noexcept {
  if (uppermost < bytes_) madvise(low_, bytes_ - uppermost, MADV_DONTNEED);
}

void StackMemory::leave_for_good() const noexcept {
#if ANYORDER_ASAN
  __lsan_register_root_region(low_, bytes_);
#endif
}

bool StackMemory::guards(const void* address) const noexcept {
  const char* const at = static_cast<const char*>(address);
  return low_ != nullptr && at >= low_ - kGuard && at < low_;
}

StackBounds own_stack() noexcept {
  pthread_attr_t attributes;
  ANYORDER_CHECK(pthread_getattr_np(pthread_self(), &attributes) == 0, "the thread's stack is not known");
  void* low = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  return {static_cast<char*>(low), bytes};
}

}  // namespace anyorder::support
