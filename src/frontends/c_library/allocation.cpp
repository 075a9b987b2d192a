// malloc and its relatives, operator new and delete, mmap and munmap.
//
// The blocks come from the C library's own functions under their second names, which need no look-up: the
// look-up itself allocates.

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>
#include <sys/mman.h>

#include "frontends/c_library/intercept.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* block);
}

namespace anyorder::frontends::c_library {
namespace {

// The block that the listener wants, or else one of the C library's; alignment 0: any. Not told of yet.
void* new_block(std::size_t bytes, std::size_t alignment) noexcept {
  if (events::placed_blocks.end != 0) [[unlikely]] {
    if (events::MemoryListener* const to = listener()) {
      if (void* const block = to->place(bytes, alignment)) return block;
    }
  }
  return alignment == 0 ? __libc_malloc(bytes) : __libc_memalign(alignment, bytes);
}

void* allocated(void* block, std::size_t bytes, std::uintptr_t caller) noexcept {
  if (block != nullptr) {
    if (events::MemoryListener* const to = listener()) to->allocated(block, bytes, caller);
  }
  return block;
}

void free_block(void* block, std::uintptr_t caller) noexcept {
  if (block == nullptr) return;
  if (events::MemoryListener* const to = listener()) to->freed(block, caller);
  if (!events::placed_blocks.contains(block)) __libc_free(block);
}

void* reallocate(void* block, std::size_t bytes, std::uintptr_t caller) noexcept {
  events::MemoryListener* const to = listener();
  if (events::placed_blocks.end != 0) [[unlikely]] {
    // The C library knows nothing of one of the two.
    void* const moved = allocated(new_block(bytes, 0), bytes, caller);
    if (moved == nullptr || block == nullptr) return moved;
    const bool placed = events::placed_blocks.contains(block);
    const std::size_t before = placed ? events::PlacedBlocks::size_of(block) : malloc_usable_size(block);
    std::memcpy(moved, block, before < bytes ? before : bytes);
    free_block(block, caller);
    return moved;
  }
  if (to != nullptr && block != nullptr) to->freed(block, caller);
  void* const moved = __libc_realloc(block, bytes);
  if (to == nullptr) return moved;
  if (moved != nullptr) {
    to->allocated(moved, bytes, caller);
  } else if (block != nullptr && bytes != 0) {
    to->allocated(block, malloc_usable_size(block), caller);  // it failed: the block is as it was
  }
  return moved;
}

bool power_of_two(std::size_t n) noexcept { return n != 0 && (n & (n - 1)) == 0; }

// As the standard has it: retries as long as there is a handler that may find memory.
void* allocate_or_throw(std::size_t bytes, std::size_t alignment, std::uintptr_t caller) {
  if (bytes == 0) bytes = 1;
  for (;;) {
    void* const block = new_block(bytes, alignment);
    if (block != nullptr) return allocated(block, bytes, caller);
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void* allocate_or_null(std::size_t bytes, std::size_t alignment, std::uintptr_t caller) noexcept {
  try {
    return allocate_or_throw(bytes, alignment, caller);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

Hidden<void*(void*, std::size_t, int, int, int, off_t)> hidden_mmap("mmap");
Hidden<int(void*, std::size_t)> hidden_munmap("munmap");
Hidden<std::size_t(void*)> hidden_usable_size("malloc_usable_size");
[[gnu::constructor(101)]] void find_allocation() {
  find_ahead(hidden_mmap, hidden_munmap, hidden_usable_size);
}

}  // namespace
}  // namespace anyorder::frontends::c_library

namespace events = anyorder::events;
using namespace anyorder::frontends::c_library;  // NOLINT(google-build-using-namespace): definitions only
                                                 // follow

ANYORDER_INTERCEPTED void* malloc(std::size_t bytes) {
  return allocated(new_block(bytes, 0), bytes, ANYORDER_CALLER);
}
ANYORDER_INTERCEPTED void* calloc(std::size_t count, std::size_t bytes) {
  if (events::placed_blocks.end == 0) [[likely]]
    return allocated(__libc_calloc(count, bytes), count * bytes, ANYORDER_CALLER);
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* const block = new_block(all, 0);
  return block == nullptr ? nullptr : allocated(std::memset(block, 0, all), all, ANYORDER_CALLER);
}
ANYORDER_INTERCEPTED void* realloc(void* block, std::size_t bytes) {
  return reallocate(block, bytes, ANYORDER_CALLER);
}
ANYORDER_INTERCEPTED void* reallocarray(void* block, std::size_t count, std::size_t bytes) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all)) {
    errno = ENOMEM;
    return nullptr;
  }
  return reallocate(block, all, ANYORDER_CALLER);
}
ANYORDER_INTERCEPTED std::size_t malloc_usable_size(void* block) noexcept {
  if (events::placed_blocks.contains(block)) return events::PlacedBlocks::size_of(block);
  return hidden_usable_size(block);
}
ANYORDER_INTERCEPTED void free(void* block) { free_block(block, ANYORDER_CALLER); }
ANYORDER_INTERCEPTED void* memalign(std::size_t alignment, std::size_t bytes) {
  return allocated(new_block(bytes, alignment), bytes, ANYORDER_CALLER);
}
ANYORDER_INTERCEPTED void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return allocated(new_block(bytes, alignment), bytes, ANYORDER_CALLER);
}
ANYORDER_INTERCEPTED void* valloc(std::size_t bytes) {
  return allocated(new_block(bytes, 4096), bytes, ANYORDER_CALLER);
}
ANYORDER_INTERCEPTED int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  if (!power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* const memory = new_block(bytes, alignment);
  if (memory == nullptr) return ENOMEM;
  *block = allocated(memory, bytes, ANYORDER_CALLER);
  return 0;
}

ANYORDER_INTERCEPTED void* mmap(void* wanted, std::size_t bytes, int protection, int flags, int file,
                                off_t offset) noexcept {
  void* const pages = hidden_mmap(wanted, bytes, protection, flags, file, offset);
  if (pages != MAP_FAILED) {
    if (auto* const to = listener()) to->mapped(pages, bytes);
  }
  return pages;
}
ANYORDER_INTERCEPTED void* mmap64(void* wanted, std::size_t bytes, int protection, int flags, int file,
                                  off_t offset) noexcept __attribute__((alias("mmap")));
ANYORDER_INTERCEPTED int munmap(void* pages, std::size_t bytes) noexcept {
  if (auto* const to = listener()) to->unmapped(pages, bytes, ANYORDER_CALLER);
  return hidden_munmap(pages, bytes);
}

#define ANYORDER_OPERATOR __attribute__((visibility("default")))
// NOLINTBEGIN(misc-new-delete-overloads)
ANYORDER_OPERATOR void* operator new(std::size_t bytes) {
  return allocate_or_throw(bytes, 0, ANYORDER_CALLER);
}
ANYORDER_OPERATOR void* operator new[](std::size_t bytes) {
  return allocate_or_throw(bytes, 0, ANYORDER_CALLER);
}
ANYORDER_OPERATOR void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment), ANYORDER_CALLER);
}
ANYORDER_OPERATOR void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment), ANYORDER_CALLER);
}
ANYORDER_OPERATOR void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate_or_null(bytes, 0, ANYORDER_CALLER);
}
ANYORDER_OPERATOR void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate_or_null(bytes, 0, ANYORDER_CALLER);
}
ANYORDER_OPERATOR void* operator new(std::size_t bytes, std::align_val_t alignment,
                                     const std::nothrow_t&) noexcept {
  return allocate_or_null(bytes, static_cast<std::size_t>(alignment), ANYORDER_CALLER);
}
ANYORDER_OPERATOR void* operator new[](std::size_t bytes, std::align_val_t alignment,
                                       const std::nothrow_t&) noexcept {
  return allocate_or_null(bytes, static_cast<std::size_t>(alignment), ANYORDER_CALLER);
}
ANYORDER_OPERATOR void operator delete(void* block) noexcept { free_block(block, ANYORDER_CALLER); }
ANYORDER_OPERATOR void operator delete[](void* block) noexcept { free_block(block, ANYORDER_CALLER); }
ANYORDER_OPERATOR void operator delete(void* block, std::size_t) noexcept {
  free_block(block, ANYORDER_CALLER);
}
ANYORDER_OPERATOR void operator delete[](void* block, std::size_t) noexcept {
  free_block(block, ANYORDER_CALLER);
}
ANYORDER_OPERATOR void operator delete(void* block, std::align_val_t) noexcept {
  free_block(block, ANYORDER_CALLER);
}
ANYORDER_OPERATOR void operator delete[](void* block, std::align_val_t) noexcept {
  free_block(block, ANYORDER_CALLER);
}
ANYORDER_OPERATOR void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  free_block(block, ANYORDER_CALLER);
}
ANYORDER_OPERATOR void operator delete[](void* block, std::size_t, std::align_val_t) noexcept {
  free_block(block, ANYORDER_CALLER);
}
ANYORDER_OPERATOR void operator delete(void* block, const std::nothrow_t&) noexcept {
  free_block(block, ANYORDER_CALLER);
}
ANYORDER_OPERATOR void operator delete[](void* block, const std::nothrow_t&) noexcept {
  free_block(block, ANYORDER_CALLER);
}
ANYORDER_OPERATOR void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept {
  free_block(block, ANYORDER_CALLER);
}
ANYORDER_OPERATOR void operator delete[](void* block, std::align_val_t, const std::nothrow_t&) noexcept {
  free_block(block, ANYORDER_CALLER);
}
// NOLINTEND(misc-new-delete-overloads)
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
