// Stack addresses of one process to the local variables that hold them, by the debug information.
//
// Contract: not thread-safe; uses the image it was given as long as it lives. Knows the variables that stay
// in one place of the frame; one that debug information places by a computation is not found.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/extent.hpp"
#include "report/frame_layout.hpp"
#include "report/image.hpp"
#include "report/types.hpp"

namespace anyorder::report {

class Locals {
 public:
  Locals(Image& image, Types& types) : image_(image), types_(types) {}

  // Of [address, limit), which is not empty, the first part that is all in one variable or in none. The frame
  // is that of the function with code at `pc`, its canonical address is `cfa`. Where variables of blocks that
  // exclude each other share a place, the one whose block has `pc` counts, or else none.
  [[nodiscard]] Extent at(std::uintptr_t pc, std::uintptr_t cfa, std::uintptr_t address,
                          std::uintptr_t limit);

  // The first address of the function with code at `pc`; `pc` itself if that is not known.
  [[nodiscard]] std::uintptr_t entry_of(std::uintptr_t pc);

 private:
  // Bytes of a variable that are next to each other in the frame: mostly all of them.
  struct Part {
    std::intptr_t begin;  // relative to the canonical frame address
    std::intptr_t end;
    std::intptr_t base;  // of the variable
    std::string name;
    std::shared_ptr<const ObjectType> type;
    Dwarf_Die scope;    // the block, copy or function that declares it
    int depth;          // of that scope in the function
    Dwarf_Die inlined;  // the innermost copy around it, if `is_inlined`
    bool is_inlined;
  };
  // A block, copy or function that may declare variables.
  struct Scope {
    Dwarf_Die entry;
    int depth;
    Dwarf_Die inlined;  // as above
    bool is_inlined;
  };
  struct Function {
    std::uintptr_t entry = 0;
    Dwarf_Addr bias = 0;
    std::vector<Part> parts;
  };

  // Null: debug information does not know it.
  [[nodiscard]] Function* function_at(std::uintptr_t pc);
  void add_variable(Function& function, const FrameLayout& layout, Dwarf_Die* variable, const Scope& scope);

  Image& image_;
  Types& types_;
  std::unordered_map<const void*, Function> functions_;         // by entry
  std::unordered_map<std::uintptr_t, Function*> functions_at_;  // by pc
};

}  // namespace anyorder::report
