#include "report/statics.hpp"

#include <cstddef>
#include <dwarf.h>

#include "report/entries.hpp"
#include "report/functions.hpp"

namespace anyorder::report {
namespace {

// Where a variable may be declared, so that its definition is there.
bool may_hold_statics(int tag) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_subprogram:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
      return true;
    default:
      return is_block(tag);
  }
}

std::optional<Dwarf_Addr> fixed_address(Dwarf_Die* variable) {
  Dwarf_Attribute location;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(variable, DW_AT_location, &location) == nullptr ||
      dwarf_getlocation(&location, &operations, &count) != 0 || count != 1) {
    return std::nullopt;
  }
  if (operations[0].atom == DW_OP_addr) return operations[0].number;
  if (operations[0].atom != DW_OP_addrx && operations[0].atom != DW_OP_GNU_addr_index) return std::nullopt;
  Dwarf_Attribute indexed;
  Dwarf_Addr address = 0;
  if (dwarf_getlocation_attr(&location, operations, &indexed) != 0 ||
      dwarf_formaddr(&indexed, &address) != 0) {
    return std::nullopt;
  }
  return address;
}

}  // namespace

std::optional<Dwarf_Die> Statics::at(std::uintptr_t address) {
  Dwfl_Module* module = image_.module_at(address);
  if (module == nullptr) return std::nullopt;
  const OfModule& known = variables_of(module);
  const auto found = known.variables.find(address - known.bias);
  if (found == known.variables.end()) return std::nullopt;
  return found->second;
}

void Statics::add_all(Variables& variables, Dwarf_Die unit) {
  for_each_entry(unit, may_hold_statics, [&](Dwarf_Die& entry) {
    if (dwarf_tag(&entry) != DW_TAG_variable) return;
    if (const auto address = fixed_address(&entry)) variables.emplace(*address, entry);
  });
}

const Statics::OfModule& Statics::variables_of(Dwfl_Module* module) {
  const auto [entry, is_new] = variables_.try_emplace(module);
  if (!is_new) return entry->second;
  for (const Unit& unit : image_.units_in(module)) {
    entry->second.bias = unit.bias;
    add_all(entry->second.variables, unit.code);
  }
  return entry->second;
}

}  // namespace anyorder::report
