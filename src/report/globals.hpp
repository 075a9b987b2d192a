// Data addresses of one process to the global or static variables that hold them, by the symbol tables;
// their types by the debug information.
//
// Contract: not thread-safe; uses the image it was given as long as it lives.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "report/extent.hpp"
#include "report/image.hpp"
#include "report/statics.hpp"
#include "report/types.hpp"

namespace anyorder::report {

class Globals {
 public:
  Globals(Image& image, Types& types) : image_(image), statics_(image), types_(types) {}

  // Of [address, limit), which is not empty, the first part that is all in one object or in none.
  [[nodiscard]] Extent at(std::uintptr_t address, std::uintptr_t limit);

 private:
  struct Symbol {
    std::uintptr_t begin;
    std::uintptr_t end;
    std::uintptr_t base;  // below `begin` if another symbol's object covers its first bytes
    const char* name;     // owned by the image
  };

  // Disjoint, by address.
  [[nodiscard]] const std::vector<Symbol>& symbols_of(Dwfl_Module* module);

  Image& image_;
  Statics statics_;
  Types& types_;
  std::unordered_map<Dwfl_Module*, std::vector<Symbol>> symbols_;
};

}  // namespace anyorder::report
