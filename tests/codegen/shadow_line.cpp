// The hot path of shadow memory in a few instantiations, for check_codegen.cmake to look at.
#include <cstdint>
#include <cstring>

#include "shadow/shadow.hpp"

namespace {

template <class C, unsigned kWord>
struct Policy {
  using Cell = C;
  static constexpr unsigned kWordBytes = kWord;
  static std::uint64_t split_head(std::uint64_t link) { return link << 1U | 1U; }
  static bool is_split(std::uint64_t head) { return (head & 1U) != 0; }
  static std::uint64_t link(std::uint64_t head) { return head >> 1U; }

  static constexpr unsigned kBlockBits = 31;
  static Cell open(std::uint64_t block) {
    Cell cell{};
    std::memcpy(&cell, &block, sizeof block);
    return cell;
  }
  static bool is_open(const Cell& line) { return block_of(line) != 0; }
  static std::uint64_t block_of(const Cell& line) {
    std::uint64_t block = 0;
    std::memcpy(&block, &line, sizeof block);
    return block;
  }
};
struct Two {
  std::uint64_t first;
  std::uint64_t second;
};

template <class C, unsigned kWord>
using Shadow = anyorder::shadow::Shadow<Policy<C, kWord>>;

}  // namespace

// As in a detector that is one object of its program.
__attribute__((visibility("hidden"))) Shadow<std::uint64_t, 8> cells8_words8;
__attribute__((visibility("hidden"))) Shadow<std::uint64_t, 4> cells8_words4;
__attribute__((visibility("hidden"))) Shadow<Two, 8> cells16_words8;

// CODEGEN line_cells8_words8: at most 5
extern "C" std::uint64_t line_cells8_words8(std::uintptr_t address) { return cells8_words8.line(address); }
// CODEGEN line_cells8_words4: at most 5
extern "C" std::uint64_t line_cells8_words4(std::uintptr_t address) { return cells8_words4.line(address); }
// CODEGEN line_cells16_words8: at most 5
extern "C" std::uint64_t line_cells16_words8(std::uintptr_t address) {
  return cells16_words8.line(address).first;
}
// CODEGEN line_by_reference: at most 5
extern "C" std::uint64_t line_by_reference(Shadow<std::uint64_t, 8>& shadow, std::uintptr_t address) {
  return shadow.line(address);
}
