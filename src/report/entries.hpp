// Walks over entries of debug information.
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <vector>

namespace anyorder::report {

// Calls f with each entry below `top`, whose own are looked at, too, where may_enter(tag) says so. Without
// recursion: scopes may be deep.
template <class MayEnter, class F>
void for_each_entry(Dwarf_Die top, MayEnter may_enter, F f) {
  std::vector<Dwarf_Die> pending{top};
  while (!pending.empty()) {
    Dwarf_Die scope = pending.back();
    pending.pop_back();
    Dwarf_Die child;
    for (int more = dwarf_child(&scope, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
      if (may_enter(dwarf_tag(&child))) pending.push_back(child);
      f(child);
    }
  }
}

// Calls f with the entry and all that it refers to for what it is: the original of an inlined copy, the
// declaration of a definition.
template <class F>
void for_each_origin(Dwarf_Die die, F f) {
  constexpr int kMostSteps = 16;  // stands in for trust in the file
  for (int step = 0; step < kMostSteps; ++step) {
    f(die);
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    if (dwarf_attr(&die, DW_AT_abstract_origin, &attribute) == nullptr &&
        dwarf_attr(&die, DW_AT_specification, &attribute) == nullptr) {
      return;
    }
    if (dwarf_formref_die(&attribute, &origin) == nullptr) return;
    die = origin;
  }
}

}  // namespace anyorder::report
