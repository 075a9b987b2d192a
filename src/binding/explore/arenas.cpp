#include "binding/explore/arenas.hpp"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace anyorder::binding {
namespace {

// Far from where the kernel puts anything by itself.
constexpr std::uintptr_t kBegin = 0x2000'0000'0000;
constexpr std::size_t kSlots = std::size_t{1} << 16U;
constexpr std::size_t kBytes = std::size_t{64} << 20U;  // of one task

}  // namespace

Arenas::Arenas() { events::placed_blocks = {kBegin, kBegin + kSlots * kBytes}; }

void Arenas::begin_run() {
  for (auto& [slot, arena] : arenas_) {
    if (arena.blocks != 0) arena.kept = arena.used;
    arena.blocks = 0;
    arena.used = arena.kept;
  }
}

void* Arenas::allocate(exploring::Lineage lineage, std::size_t bytes, std::size_t alignment) {
  const auto [entry, is_new] = slots_.try_emplace(lineage, lineage % kSlots);
  if (is_new) {
    if (arenas_.size() == kSlots) return nullptr;
    while (arenas_.contains(entry->second)) entry->second = (entry->second + 1) % kSlots;
    void* const wanted = reinterpret_cast<void*>(kBegin + entry->second * kBytes);
    void* const memory = mmap(wanted, kBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    arenas_[entry->second].begin = memory == wanted ? static_cast<char*>(memory) : nullptr;
  }
  Arena& arena = arenas_[entry->second];
  alignment = std::max(alignment, alignof(std::max_align_t));
  const std::size_t at = (arena.used + sizeof(std::size_t) + alignment - 1) / alignment * alignment;
  if (arena.begin == nullptr || bytes > kBytes || at > kBytes - bytes) return nullptr;
  arena.used = at + bytes;
  ++arena.blocks;
  char* const block = arena.begin + at;
  reinterpret_cast<std::size_t*>(block)[-1] = bytes;
  std::memset(block, 0, bytes);  // structures are copied with what nobody has written between their members
  return block;
}

void Arenas::free(void* block) {
  Arena& arena = arenas_[(reinterpret_cast<std::uintptr_t>(block) - kBegin) / kBytes];
  if (block >= arena.begin + arena.kept) --arena.blocks;
}

}  // namespace anyorder::binding
