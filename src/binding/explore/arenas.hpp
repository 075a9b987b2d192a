// Memory for what tasks allocate while a program is explored: each task has its own, at the same addresses in
// every run. Locations that different runs have in common have one name by that.
//
// Contract: for one thread, inside the tool. Within a run no block is used twice. What is still in use when
// the next run begins stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "events/memory.hpp"
#include "explore/footprint.hpp"

namespace anyorder::binding {

class Arenas {
 public:
  // Says that blocks are placed from now on.
  Arenas();

  void begin_run();
  // Null: the task has had all its memory.
  void* allocate(exploring::Lineage lineage, std::size_t bytes, std::size_t alignment);
  // A block that allocate returned.
  void free(void* block);

 private:
  struct Arena {
    char* begin = nullptr;
    std::size_t kept = 0;    // bytes at the beginning, with what earlier runs have left
    std::size_t used = 0;    // those included
    std::size_t blocks = 0;  // in use, behind those
  };
  std::unordered_map<exploring::Lineage, std::size_t> slots_;
  std::unordered_map<std::size_t, Arena> arenas_;  // by slot
};

}  // namespace anyorder::binding
