#include "report/functions.hpp"

#include <algorithm>
#include <dwarf.h>
#include <iterator>
#include <tuple>

#include "report/entries.hpp"

namespace anyorder::report {

namespace {

bool may_hold_functions(int tag) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_module:
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

}  // namespace

bool is_block(int tag) {
  return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_try_block ||
         tag == DW_TAG_catch_block;
}

Functions::Functions(Dwarf_Die unit) {
  for_each_entry(unit, may_hold_functions, [&](Dwarf_Die& entry) {
    if (dwarf_tag(&entry) != DW_TAG_subprogram) return;
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&entry, at, &base, &begin, &end)) > 0;) {
      if (begin < end) ranges_.push_back({begin, end, entry});
    }
  });
  std::sort(ranges_.begin(), ranges_.end(), [](const CodeRange& a, const CodeRange& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
}

std::vector<Dwarf_Die> Functions::scopes_at(Dwarf_Addr address) const {
  std::vector<Dwarf_Die> scopes;
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), address,
                       [](Dwarf_Addr value, const CodeRange& range) { return value < range.begin; });
  if (after == ranges_.begin() || address >= std::prev(after)->end) return scopes;
  scopes.push_back(std::prev(after)->function);
  Dwarf_Die child;
  for (int more = dwarf_child(&scopes.back(), &child); more == 0;) {
    if (is_block(dwarf_tag(&child)) && dwarf_haspc(&child, address) > 0) {
      scopes.push_back(child);
      more = dwarf_child(&scopes.back(), &child);
    } else {
      more = dwarf_siblingof(&child, &child);
    }
  }
  std::reverse(scopes.begin(), scopes.end());
  return scopes;
}

}  // namespace anyorder::report
