#include "binding/check/heap_blocks.hpp"

#include <iterator>

namespace anyorder::binding {

void HeapBlocks::add(std::uintptr_t begin, std::size_t bytes, PlaceNumber allocated_at) {
  if (bytes == 0) bytes = 1;
  const std::lock_guard lock(mutex_);
  // What overlaps has been freed without our knowledge, or is known as freed.
  auto at = blocks_.lower_bound(begin);
  if (at != blocks_.begin() && std::prev(at)->first + std::prev(at)->second.bytes > begin) --at;
  while (at != blocks_.end() && at->first < begin + bytes) at = blocks_.erase(at);
  blocks_.emplace_hint(at, begin, Entry{bytes, allocated_at, false});
}

std::optional<std::size_t> HeapBlocks::take(std::uintptr_t begin) {
  const std::lock_guard lock(mutex_);
  const auto at = blocks_.find(begin);
  if (at == blocks_.end() || at->second.freed) return std::nullopt;
  at->second.freed = true;
  return at->second.bytes;
}

std::optional<HeapBlocks::Block> HeapBlocks::find(std::uintptr_t address) const {
  const std::lock_guard lock(mutex_);
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return std::nullopt;
  const auto& [begin, entry] = *std::prev(after);
  if (address - begin >= entry.bytes) return std::nullopt;
  return Block{begin, entry.bytes, entry.allocated_at};
}

}  // namespace anyorder::binding
