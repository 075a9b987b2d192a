// Where the objects of each program of a batch lay in the process that ran it.
//
// The file has a line per object, in the order in which they come into being in a serial run: program,
// address, size. Programs are numbered by their place in the batch, objects of a program by the order of
// their lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace anyorder::differential {

struct PlacedObject {
  std::uintptr_t address;
  int size;
};
using MemoryMap = std::vector<std::vector<PlacedObject>>;  // by program

// Throws std::runtime_error: a process that ended early leaves none, or half of one.
[[nodiscard]] MemoryMap read_memory_map(const std::string& path, std::size_t programs);
void write_memory_map(const std::string& path, const MemoryMap& map);

}  // namespace anyorder::differential
