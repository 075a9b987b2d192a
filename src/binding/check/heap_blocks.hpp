// The blocks of the heap: where they lie and who allocated them. A freed block is known until its memory is
// allocated again, so that a use after the free can be named.
//
// A program may have millions of small blocks, and take and give them back all the time: 8 bytes for each of
// those that lie within one page of 16 KiB, in an array of that page, found by its address in two steps. The
// others, few or large, are in a tree.
//
// Contract: any thread; one lock inside.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "binding/check/places.hpp"

namespace anyorder::binding {

class HeapBlocks {
 public:
  struct Block {
    std::uintptr_t begin;
    std::size_t bytes;
    PlaceNumber allocated_at;
  };

  void add(std::uintptr_t begin, std::size_t bytes, PlaceNumber allocated_at);
  // The size of the live block that begins there; it is freed from now on. Nothing if there is none.
  std::optional<std::size_t> take(std::uintptr_t begin);
  // The block, freed or not, that holds the address.
  [[nodiscard]] std::optional<Block> find(std::uintptr_t address) const;

 private:
  static constexpr unsigned kPageBits = 14;
  static constexpr std::uintptr_t kPageBytes = std::uintptr_t{1} << kPageBits;
  static constexpr unsigned kRegionBits = 30;
  static constexpr std::size_t kPagesInRegion = std::size_t{1} << (kRegionBits - kPageBits);

  // A block within a page.
  struct Small {
    PlaceNumber allocated_at;
    std::uint16_t offset;          // in the page
    std::uint16_t last_and_freed;  // the offset of the last byte; kFreed
    [[nodiscard]] std::uintptr_t last() const noexcept { return last_and_freed & (kPageBytes - 1); }
    [[nodiscard]] std::size_t bytes() const noexcept { return last() - offset + 1; }
  };
  static constexpr std::uint16_t kFreed = std::uint16_t{1} << 15U;
  static_assert(sizeof(Small) == 8);

  struct Page {
    std::unique_ptr<Small[]> blocks;  // by offset; disjoint
    std::uint16_t count;
    std::uint16_t room;
    // Blocks of the tree may lie in its first and in its last bytes, so many, and nowhere else.
    std::uint16_t head;
    std::uint16_t tail;
    [[nodiscard]] bool may_be_spanned(std::uintptr_t from, std::uintptr_t to) const noexcept {
      return from < head || to > kPageBytes - tail;
    }
  };
  static_assert(sizeof(Page) == 16);

  struct Spanning {
    std::size_t bytes;
    PlaceNumber allocated_at;
    bool freed;
  };
  struct Free {
    void operator()(Page* region) const noexcept;
  };
  // Zeros from the system: what is not used takes no memory.
  using Region = std::unique_ptr<Page[], Free>;

  // A critical section is a few dozen instructions, and hardly ever contended.
  class Lock {
   public:
    explicit Lock(std::atomic_flag& flag) noexcept;
    ~Lock() { flag_.clear(std::memory_order_release); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    std::atomic_flag& flag_;
  };

  // Null: nothing was ever there.
  [[nodiscard]] Page* known_page_of(std::uintptr_t address) const noexcept;
  [[nodiscard]] Page& page_of(std::uintptr_t address);
  // The number of blocks of the page that begin before the offset.
  [[nodiscard]] static std::size_t count_before(const Page& page, std::uintptr_t offset) noexcept;
  // Removes blocks that hold one of the offsets [from, to); returns where the next one is.
  static std::size_t remove_overlapping(Page& page, std::uintptr_t from, std::uintptr_t to) noexcept;
  static void insert(Page& page, std::size_t at, const Small& block);
  void remove_spanning(std::uintptr_t begin, std::uintptr_t end);
  void add_spanning(std::uintptr_t begin, std::size_t bytes, PlaceNumber allocated_at);

  mutable std::atomic_flag lock_;  // guards all below
  std::unordered_map<std::uintptr_t, Region> regions_;
  mutable std::uintptr_t last_region_ = ~std::uintptr_t{0};  // its pages are last_pages_
  mutable Page* last_pages_ = nullptr;
  std::map<std::uintptr_t, Spanning> spanning_;  // by first byte; disjoint, also from those of pages
};

}  // namespace anyorder::binding
