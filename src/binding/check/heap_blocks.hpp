// The blocks of the heap: where they lie and who allocated them. A freed block is known until its memory is
// allocated again, so that a use after the free can be named.
//
// Contract: any thread; one lock inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

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
  struct Entry {
    std::size_t bytes;
    PlaceNumber allocated_at;
    bool freed;
  };

  mutable std::mutex mutex_;                // guards all below
  std::map<std::uintptr_t, Entry> blocks_;  // by first byte; disjoint
};

}  // namespace anyorder::binding
