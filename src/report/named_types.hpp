// The types of a compilation unit by their names, as code in it may write them: without spaces, and without
// what templates of the standard library add by themselves.
//
// Contract: not thread-safe; entries live as long as the image that they are of.
#pragma once

#include <cstdint>
#include <elfutils/libdw.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/image.hpp"

namespace anyorder::report {

class NamedTypes {
 public:
  // The argument that a template around a function (ordinary, or an inlined copy) was given for the parameter
  // of that name.
  [[nodiscard]] static std::optional<Dwarf_Die> template_argument(Dwarf_Die function, std::string_view name);

  // The type of that name that is visible in a function of the unit. Nothing unless there is one type of that
  // name in the whole unit for which fits(type) is true: names are not looked up by all rules of the
  // language.
  template <class Fits>
  [[nodiscard]] std::optional<Dwarf_Die> find(const Unit& unit, Dwarf_Die function, std::string_view name,
                                              Fits fits) {
    std::optional<Dwarf_Die> found;
    for (const Dwarf_Die& type : types_named(unit, last_part(name))) {
      if (!fits(type)) continue;
      if (found && !is_same_type(*found, type)) return std::nullopt;
      found = type;
    }
    return found && is_visible(unit, function, *found, name) ? found : std::nullopt;
  }

 private:
  struct UnitTypes {
    std::map<std::string, std::vector<Dwarf_Die>, std::less<>> by_name;  // without what is around them
    std::vector<std::string> used_namespaces;                            // by using-directives, anywhere
  };

  [[nodiscard]] static std::string_view last_part(std::string_view name);
  // One may be an alias of the other.
  [[nodiscard]] static bool is_same_type(Dwarf_Die one, Dwarf_Die other);
  [[nodiscard]] const UnitTypes& types_of(const Unit& unit);
  [[nodiscard]] const std::vector<Dwarf_Die>& types_named(const Unit& unit, std::string_view name);
  [[nodiscard]] bool is_visible(const Unit& unit, Dwarf_Die function, Dwarf_Die type, std::string_view name);

  std::unordered_map<const void*, UnitTypes> units_;  // by the unit's entry
};

}  // namespace anyorder::report
