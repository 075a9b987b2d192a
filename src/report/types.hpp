// Types as debug information has them, and as a programmer would write their names.
//
// Contract: not thread-safe; DIEs live as long as the image that they are of.
#pragma once

#include <elfutils/libdw.h>
#include <memory>
#include <unordered_map>

#include "report/object_type.hpp"

namespace anyorder::report {

class Types {
 public:
  // The type of a variable, member or template parameter; null: not known.
  [[nodiscard]] std::shared_ptr<const ObjectType> of(Dwarf_Die* typed);
  // The type itself.
  [[nodiscard]] std::shared_ptr<const ObjectType> made(Dwarf_Die type) { return made(type, 0); }

 private:
  [[nodiscard]] std::shared_ptr<const ObjectType> made(Dwarf_Die type, int depth);
  void add_members(ObjectType& type, Dwarf_Die* record, int depth);

  std::unordered_map<const void*, std::shared_ptr<const ObjectType>> known_;  // by the DIE's place
};

// Whether destroying an object of the type is nothing at all, as far as that is seen.
[[nodiscard]] bool is_destroyed_trivially(Dwarf_Die type);

// In bytes; 0: not known.
[[nodiscard]] std::uint64_t size_of_type(Dwarf_Die* type);

// The type that a DIE names by its DW_AT_type; false: none.
[[nodiscard]] bool type_of(Dwarf_Die* typed, Dwarf_Die* type);

}  // namespace anyorder::report
