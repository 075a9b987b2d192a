// Walks over entries of debug information.
#pragma once

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

}  // namespace anyorder::report
