// The code and data of one process as its modules' files describe them: elfutils, with what it lacks.
//
// Contract: not thread-safe. DIEs and modules that it hands out live as long as the image. Modules whose
// files cannot be read are left out; asking for an address in them finds nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "record/run.hpp"
#include "report/functions.hpp"

namespace anyorder::report {

// A compilation unit that holds a code address.
struct Unit {
  Dwarf_Die lines;      // has the line table
  Dwarf_Die code;       // the same, unless the unit is split: then the one that has the functions
  Dwarf_Addr bias = 0;  // what was added to its addresses
};

class Image {
 public:
  // `program` is the path of a module that has none.
  Image(std::vector<record::Module> modules, const std::string& program);

  [[nodiscard]] Dwfl_Module* module_at(std::uintptr_t address) const;

  // The path of the module at `address`, whether it could be read or not; empty: there is none.
  [[nodiscard]] std::string path_at(std::uintptr_t address) const;

  [[nodiscard]] std::optional<Unit> unit_at(std::uintptr_t pc);

  // All of a module.
  [[nodiscard]] const std::vector<Unit>& units_in(Dwfl_Module* module) { return units_of(module).units; }

  // As Functions::scopes_at, of a unit that unit_at found for the same `pc`.
  [[nodiscard]] std::vector<Dwarf_Die> scopes_at(const Unit& unit, std::uintptr_t pc);

 private:
  struct EndDwfl {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
  };
  struct CodeRange {
    Dwarf_Addr begin;
    Dwarf_Addr end;
    std::size_t unit;
  };
  struct ModuleUnits {
    std::vector<Unit> units;
    std::vector<CodeRange> ranges;  // by `begin`; in the module's own addresses
  };

  [[nodiscard]] const ModuleUnits& units_of(Dwfl_Module* module);

  std::vector<record::Module> modules_;
  std::unique_ptr<Dwfl, EndDwfl> dwfl_;
  std::unordered_map<Dwfl_Module*, ModuleUnits> units_;
  std::unordered_map<const void*, Functions> functions_;  // by the unit's entry
};

}  // namespace anyorder::report
