// Global and static variables by their address, from the debug information: what the symbol table knows by
// name and size alone has a type here.
//
// Contract: not thread-safe; uses the image it was given as long as it lives.
#pragma once

#include <cstdint>
#include <elfutils/libdw.h>
#include <map>
#include <optional>
#include <unordered_map>

#include "report/image.hpp"

namespace anyorder::report {

class Statics {
 public:
  explicit Statics(Image& image) : image_(image) {}

  // The variable that begins at `address`; nothing: debug information has none.
  [[nodiscard]] std::optional<Dwarf_Die> at(std::uintptr_t address);

 private:
  using Variables = std::map<Dwarf_Addr, Dwarf_Die>;
  static void add_all(Variables& variables, Dwarf_Die unit);

  struct OfModule {
    Dwarf_Addr bias = 0;
    Variables variables;  // in the module's own addresses
  };
  [[nodiscard]] const OfModule& variables_of(Dwfl_Module* module);

  Image& image_;
  std::unordered_map<Dwfl_Module*, OfModule> variables_;
};

}  // namespace anyorder::report
