#include "report/names.hpp"

#include <cxxabi.h>
#include <dwarf.h>
#include <string_view>

#include "report/malloced.hpp"

namespace anyorder::report {

namespace {

bool is_named_scope(int tag) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
      return true;
    default:
      return false;
  }
}

// `inside`: the qualified name so far, which begins with what the scope holds.
std::string scope_name(Dwarf_Die* scope, std::string_view inside) {
  const char* name = dwarf_diename(scope);
  if (name != nullptr) return name;
  if (dwarf_tag(scope) == DW_TAG_namespace) return "(anonymous namespace)";
  return inside.starts_with("operator()") ? "{lambda}" : "(unnamed)";
}

// The DIE at which the name was declared: a definition refers to its declaration, an inlined copy to its
// original. The bound stands in for trust in the file.
Dwarf_Die declaration_of(Dwarf_Die die) {
  constexpr int kMostSteps = 16;
  for (int step = 0; step < kMostSteps; ++step) {
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    if (dwarf_attr(&die, DW_AT_abstract_origin, &attribute) == nullptr &&
        dwarf_attr(&die, DW_AT_specification, &attribute) == nullptr) {
      break;
    }
    if (dwarf_formref_die(&attribute, &origin) == nullptr) break;
    die = origin;
  }
  return die;
}

}  // namespace

std::string demangled(const char* name) {
  int status = 0;
  const Malloced<char> text(abi::__cxa_demangle(name, nullptr, nullptr, &status));
  // A C function called "f" would pass for the mangled name of float.
  const bool is_mangled = name[0] == '_' && name[1] == 'Z';
  if (!is_mangled || status != 0 || !text) return name;
  const std::string_view whole = text.get();
  return std::string(whole.substr(0, whole.find(" [clone ")));
}

std::string linkage_name(Dwarf_Die* function) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute) == nullptr &&
      dwarf_attr_integrate(function, DW_AT_MIPS_linkage_name, &attribute) == nullptr) {
    return {};
  }
  const char* name = dwarf_formstring(&attribute);
  return name == nullptr ? std::string() : demangled(name);
}

std::string qualified_name(Dwarf_Die* die) {
  const char* own = dwarf_diename(die);
  if (own == nullptr) return {};
  std::string name = own;
  Dwarf_Die declaration = declaration_of(*die);
  Dwarf_Die* list = nullptr;  // the declaration and all around it
  const int count = dwarf_getscopes_die(&declaration, &list);
  const Malloced<Dwarf_Die> scopes(count > 0 ? list : nullptr);
  for (int i = 1; i < count; ++i) {
    if (is_named_scope(dwarf_tag(list + i))) name.insert(0, scope_name(list + i, name) + "::");
  }
  return name;
}

}  // namespace anyorder::report
