#include "report/named_types.hpp"

#include <algorithm>
#include <dwarf.h>

#include "report/entries.hpp"
#include "report/names.hpp"
#include "report/types.hpp"

namespace anyorder::report {

namespace {

bool may_hold_types(int tag) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
      return true;
    default:
      return false;
  }
}

bool is_type_with_name(int tag) {
  return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
         tag == DW_TAG_enumeration_type || tag == DW_TAG_typedef;
}

std::string without_spaces(std::string_view text) {
  std::string result(text);
  std::erase(result, ' ');
  return result;
}

// What is in an unnamed namespace is visible around it.
std::string visible_name(Dwarf_Die* die) {
  constexpr std::string_view kUnnamed = "(anonymousnamespace)::";
  std::string name = without_spaces(readable(qualified_name(die)));
  for (std::size_t at = 0; (at = name.find(kUnnamed)) != std::string::npos;) name.erase(at, kUnnamed.size());
  return name;
}

// Calls f with the function, then with what is around it, out to the unit.
template <class F>
void for_each_scope(Dwarf_Die function, F f) {
  constexpr int kMostScopes = 64;
  std::optional<Dwarf_Die> scope = function;
  for (int i = 0; scope && i < kMostScopes; ++i) {
    f(*scope);
    Dwarf_Die declaration = declaration_of(*scope);
    scope = scope_around(&declaration);
  }
}

}  // namespace

std::string_view NamedTypes::last_part(std::string_view name) {
  const std::size_t arguments = name.find('<');
  const std::size_t separator = name.rfind("::", arguments);
  return separator == std::string_view::npos ? name : name.substr(separator + 2);
}

bool NamedTypes::is_same_type(Dwarf_Die one, Dwarf_Die other) {
  Dwarf_Die plain;
  Dwarf_Die other_plain;
  return dwarf_peel_type(&one, &plain) == 0 && dwarf_peel_type(&other, &other_plain) == 0 &&
         plain.addr == other_plain.addr;
}

std::optional<Dwarf_Die> NamedTypes::template_argument(Dwarf_Die function, std::string_view name) {
  std::optional<Dwarf_Die> found;
  for_each_scope(function, [&](Dwarf_Die scope) {
    if (found) return;
    for_each_origin(scope, [&](Dwarf_Die origin) {
      Dwarf_Die child;
      for (int more = dwarf_child(&origin, &child); more == 0 && !found;
           more = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) != DW_TAG_template_type_parameter) continue;
        const char* const its_name = dwarf_diename(&child);
        Dwarf_Die type;
        if (its_name != nullptr && its_name == name && type_of(&child, &type)) found = type;
      }
    });
  });
  return found;
}

const NamedTypes::UnitTypes& NamedTypes::types_of(const Unit& unit) {
  const auto [entry, is_new] = units_.try_emplace(unit.code.addr);
  UnitTypes& types = entry->second;
  if (!is_new) return types;
  for_each_entry(unit.code, may_hold_types, [&](Dwarf_Die& die) {
    const int tag = dwarf_tag(&die);
    if (is_type_with_name(tag)) {
      const char* const name = dwarf_diename(&die);
      if (name == nullptr || dwarf_hasattr(&die, DW_AT_declaration) != 0) return;
      types.by_name[without_spaces(readable(name))].push_back(die);
    } else if (tag == DW_TAG_imported_module) {
      Dwarf_Attribute attribute;
      Dwarf_Die imported;
      if (dwarf_attr(&die, DW_AT_import, &attribute) == nullptr ||
          dwarf_formref_die(&attribute, &imported) == nullptr) {
        return;
      }
      if (std::string name = visible_name(&imported); !name.empty()) types.used_namespaces.push_back(name);
    }
  });
  return types;
}

const std::vector<Dwarf_Die>& NamedTypes::types_named(const Unit& unit, std::string_view name) {
  static const std::vector<Dwarf_Die> kNone;
  const UnitTypes& types = types_of(unit);
  const auto found = types.by_name.find(name);
  return found == types.by_name.end() ? kNone : found->second;
}

bool NamedTypes::is_visible(const Unit& unit, Dwarf_Die function, Dwarf_Die type, std::string_view name) {
  const std::string whole = visible_name(&type);
  bool found = whole == name;
  const auto look_in = [&](const std::string& scope) {
    found = found || (!scope.empty() && whole == scope + "::" + std::string(name));
  };
  for_each_scope(function, [&](Dwarf_Die scope) {
    Dwarf_Die declaration = declaration_of(scope);
    look_in(visible_name(&declaration));
  });
  const std::vector<std::string>& used = types_of(unit).used_namespaces;
  std::for_each(used.begin(), used.end(), look_in);
  return found;
}

}  // namespace anyorder::report
