#include "memory_map.hpp"

#include <fstream>
#include <stdexcept>

namespace anyorder::differential {

namespace {
constexpr const char* kEnd = "end";
}

MemoryMap read_memory_map(const std::string& path, std::size_t programs) {
  MemoryMap map(programs);
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    if (word == kEnd) return map;
    PlacedObject object{};
    file >> object.address >> object.size;
    map.at(std::stoul(word)).push_back(object);
  }
  throw std::runtime_error("the run left no map of its memory");
}

void write_memory_map(const std::string& path, const MemoryMap& map) {
  std::ofstream file(path);
  for (std::size_t program = 0; program < map.size(); ++program) {
    for (const PlacedObject& object : map[program]) {
      file << program << ' ' << object.address << ' ' << object.size << '\n';
    }
  }
  file << kEnd << '\n';
  if (!file.flush()) throw std::runtime_error(path + " cannot be written");
}

}  // namespace anyorder::differential
