// A thread's cache of small blocks, in front of malloc. Not thread-safe: one owner at a time. A block may be
// returned to another cache than the one it came from; each list is bounded, so that a thread which only
// frees does not hoard what another one only allocates. Who wants it keeps as many as it took from malloc.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "support/sanitizers.hpp"

namespace anyorder::support {

class BlockCache {
 public:
  BlockCache() noexcept = default;
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;
  ~BlockCache() {
    for (List& list : lists_) {
      while (list.first != nullptr) std::free(take(list));
    }
  }

  void* allocate(std::size_t bytes) {
    if (void* const block = used_one(bytes)) return block;
    return new_one(bytes);
  }
  // A block that was given back, or null; and one from malloc.
  void* used_one(std::size_t bytes) noexcept {
    const std::size_t size_class = class_of(bytes);
    return size_class < kClasses && lists_[size_class].first != nullptr ? take(lists_[size_class]) : nullptr;
  }
  void* new_one(std::size_t bytes) {
    const std::size_t size_class = class_of(bytes);
    if (size_class < kClasses) {
      ++lists_[size_class].made;
      bytes = (size_class + 1) * kStep;
    }
    void* const block = std::malloc(bytes);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }

  void free(void* block, std::size_t bytes, bool keeps_its_own = false) noexcept {
    const std::size_t size_class = class_of(bytes);
    if (size_class >= kClasses || (lists_[size_class].length >= kLongest &&
                                   !(keeps_its_own && has_room_for_its_own(lists_[size_class])))) {
      std::free(block);
      return;
    }
    List& list = lists_[size_class];
    list.first = ::new (block) Free{list.first};
    ++list.length;
  }

 private:
  static constexpr std::size_t kStep = 16;
  static constexpr std::size_t kClasses = 32;                       // blocks of up to 512 bytes
  static constexpr std::size_t kLongest = ANYORDER_ASAN ? 0 : 256;  // ASan sees only what goes to free()

  struct Free {
    Free* next;
  };
  struct List {
    Free* first = nullptr;
    std::size_t length = 0;
    std::size_t made = 0;  // blocks from malloc
  };
  static bool has_room_for_its_own(const List& list) noexcept {
    return kLongest != 0 && list.length < list.made;
  }

  static std::size_t class_of(std::size_t bytes) noexcept { return (bytes - 1) / kStep; }
  static void* take(List& list) noexcept {
    Free* const block = list.first;
    list.first = block->next;
    --list.length;
    return block;
  }

  std::array<List, kClasses> lists_;
};

}  // namespace anyorder::support
