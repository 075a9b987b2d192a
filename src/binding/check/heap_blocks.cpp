#include "binding/check/heap_blocks.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>
#include <sched.h>
#include <utility>

namespace anyorder::binding {

void HeapBlocks::Free::operator()(Page* region) const noexcept {
  for (std::size_t i = 0; i != kPagesInRegion; ++i) region[i].blocks.reset();
  std::free(region);
}

HeapBlocks::Lock::Lock(std::atomic_flag& flag) noexcept : flag_(flag) {
  while (flag_.test_and_set(std::memory_order_acquire)) sched_yield();
}

HeapBlocks::Page* HeapBlocks::known_page_of(std::uintptr_t address) const noexcept {
  const std::uintptr_t region = address >> kRegionBits;
  if (region != last_region_) {
    const auto at = regions_.find(region);
    if (at == regions_.end()) return nullptr;
    last_region_ = region;
    last_pages_ = at->second.get();
  }
  return &last_pages_[(address >> kPageBits) % kPagesInRegion];
}

HeapBlocks::Page& HeapBlocks::page_of(std::uintptr_t address) {
  if (Page* const known = known_page_of(address)) return *known;
  auto* const pages = static_cast<Page*>(std::calloc(kPagesInRegion, sizeof(Page)));
  if (pages == nullptr) throw std::bad_alloc();
  regions_.emplace(address >> kRegionBits, Region(pages));
  return *known_page_of(address);
}

std::size_t HeapBlocks::count_before(const Page& page, std::uintptr_t offset) noexcept {
  const Small* const blocks = page.blocks.get();
  // Fresh memory comes in ascending order.
  if (page.count == 0 || blocks[page.count - 1].offset < offset) return page.count;
  const Small* const at =
      std::lower_bound(blocks, blocks + page.count, offset,
                       [](const Small& block, std::uintptr_t sought) { return block.offset < sought; });
  return static_cast<std::size_t>(at - blocks);
}

std::size_t HeapBlocks::remove_overlapping(Page& page, std::uintptr_t from, std::uintptr_t to) noexcept {
  Small* const blocks = page.blocks.get();
  std::size_t first = count_before(page, from);
  if (first != 0 && blocks[first - 1].last() >= from) --first;
  std::size_t end = first;
  while (end != page.count && blocks[end].offset < to) ++end;
  if (end != first) {
    std::copy(blocks + end, blocks + page.count, blocks + first);
    page.count = static_cast<std::uint16_t>(page.count - (end - first));
  }
  return first;
}

void HeapBlocks::insert(Page& page, std::size_t at, const Small& block) {
  if (page.count == page.room) {
    const std::size_t room = page.room == 0 ? 8 : std::size_t{2} * page.room;
    auto blocks = std::make_unique_for_overwrite<Small[]>(room);
    std::copy_n(page.blocks.get(), page.count, blocks.get());
    page.blocks = std::move(blocks);
    page.room = static_cast<std::uint16_t>(room);
  }
  Small* const blocks = page.blocks.get();
  std::copy_backward(blocks + at, blocks + page.count, blocks + page.count + 1);
  blocks[at] = block;
  ++page.count;
}

void HeapBlocks::remove_spanning(std::uintptr_t begin, std::uintptr_t end) {
  auto at = spanning_.lower_bound(begin);
  if (at != spanning_.begin() && std::prev(at)->first + std::prev(at)->second.bytes > begin) --at;
  while (at != spanning_.end() && at->first < end) at = spanning_.erase(at);
}

void HeapBlocks::add_spanning(std::uintptr_t begin, std::size_t bytes, PlaceNumber allocated_at) {
  const std::uintptr_t end = begin + bytes;
  for (std::uintptr_t at = begin; at < end;) {
    Page& page = page_of(at);
    const std::uintptr_t page_begin = at & ~(kPageBytes - 1);
    const std::uintptr_t from = at - page_begin;
    const std::uintptr_t to = std::min(end - page_begin, kPageBytes);
    remove_overlapping(page, from, to);
    if (from == 0) page.head = std::max(page.head, static_cast<std::uint16_t>(to));
    if (to == kPageBytes) page.tail = std::max(page.tail, static_cast<std::uint16_t>(to - from));
    at = page_begin + kPageBytes;
  }
  spanning_.insert_or_assign(begin, Spanning{bytes, allocated_at, false});
}

void HeapBlocks::add(std::uintptr_t begin, std::size_t bytes, PlaceNumber allocated_at) {
  if (bytes == 0) bytes = 1;
  const Lock lock(lock_);
  // What overlaps has been freed without our knowledge, or is known as freed.
  Page& page = page_of(begin);
  const std::uintptr_t offset = begin % kPageBytes;
  if (bytes > kPageBytes - offset) {
    remove_spanning(begin, begin + bytes);
    add_spanning(begin, bytes, allocated_at);
    return;
  }
  if (page.may_be_spanned(offset, offset + bytes)) remove_spanning(begin, begin + bytes);
  const Small block{allocated_at, static_cast<std::uint16_t>(offset),
                    static_cast<std::uint16_t>(offset + bytes - 1)};
  const std::size_t at = count_before(page, offset);
  // Mostly memory is used again for a block of the same size.
  if (at != page.count && page.blocks[at].offset == block.offset && page.blocks[at].last() == block.last()) {
    page.blocks[at] = block;
    return;
  }
  insert(page, remove_overlapping(page, offset, offset + bytes), block);
}

std::optional<std::size_t> HeapBlocks::take(std::uintptr_t begin) {
  const Lock lock(lock_);
  Page* const page = known_page_of(begin);
  if (page == nullptr) return std::nullopt;
  const std::uintptr_t offset = begin % kPageBytes;
  const std::size_t at = count_before(*page, offset);
  if (at != page->count && page->blocks[at].offset == offset) {
    Small& block = page->blocks[at];
    if ((block.last_and_freed & kFreed) != 0) return std::nullopt;
    block.last_and_freed |= kFreed;
    return block.bytes();
  }
  if (!page->may_be_spanned(offset, offset + 1)) return std::nullopt;
  const auto spanning = spanning_.find(begin);
  if (spanning == spanning_.end() || spanning->second.freed) return std::nullopt;
  spanning->second.freed = true;
  return spanning->second.bytes;
}

std::optional<HeapBlocks::Block> HeapBlocks::find(std::uintptr_t address) const {
  const Lock lock(lock_);
  const Page* const page = known_page_of(address);
  if (page == nullptr) return std::nullopt;
  const std::uintptr_t offset = address % kPageBytes;
  const std::size_t behind = count_before(*page, offset + 1);
  if (behind != 0 && page->blocks[behind - 1].last() >= offset) {
    const Small& block = page->blocks[behind - 1];
    return Block{address - offset + block.offset, block.bytes(), block.allocated_at};
  }
  const auto after = spanning_.upper_bound(address);
  if (after == spanning_.begin()) return std::nullopt;
  const auto& [begin, spanning] = *std::prev(after);
  if (address - begin >= spanning.bytes) return std::nullopt;
  return Block{begin, spanning.bytes, spanning.allocated_at};
}

}  // namespace anyorder::binding
