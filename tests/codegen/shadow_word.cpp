// The hot path of shadow memory in a few instantiations, for check_codegen.cmake to look at.
#include <cstdint>

#include "shadow/shadow.hpp"

namespace {

template <class C, unsigned kWord>
struct Policy {
  using Cell = C;
  static constexpr unsigned kWordBytes = kWord;
  static std::uint64_t split_head(std::uint64_t link) { return link << 1U | 1U; }
  static bool is_split(std::uint64_t head) { return (head & 1U) != 0; }
  static std::uint64_t link(std::uint64_t head) { return head >> 1U; }
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

// CODEGEN word_cells8_words8: at most 5
extern "C" std::uint64_t word_cells8_words8(std::uintptr_t address) { return cells8_words8.word(address); }
// CODEGEN word_cells8_words4: at most 5
extern "C" std::uint64_t word_cells8_words4(std::uintptr_t address) { return cells8_words4.word(address); }
// CODEGEN word_cells16_words8: at most 5
extern "C" std::uint64_t word_cells16_words8(std::uintptr_t address) {
  return cells16_words8.word(address).first;
}
// CODEGEN word_by_reference: at most 5
extern "C" std::uint64_t word_by_reference(Shadow<std::uint64_t, 8>& shadow, std::uintptr_t address) {
  return shadow.word(address);
}
