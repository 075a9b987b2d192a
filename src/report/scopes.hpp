// A list of nested debug information entries, innermost first.
//
// Contract: a value that owns its list; the entries live as long as the image that they are of.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <elfutils/libdw.h>
#include <memory>

namespace anyorder::report {

class Scopes {
 public:
  // The entry and those around it, where they are in the file.
  static Scopes around(Dwarf_Die die) {
    Dwarf_Die* list = nullptr;
    const int count = dwarf_getscopes_die(&die, &list);
    return {list, count};
  }

  // The entries of `unit` that have code at `address`: blocks, inlined copies, the function, the unit.
  static Scopes at(Dwarf_Die unit, Dwarf_Addr address) {
    Dwarf_Die* list = nullptr;
    const int count = dwarf_getscopes(&unit, address, &list);
    const Scopes scopes(list, count);
    // Outside of an inlined copy that list goes on with the scopes of its definition; wanted are those
    // around the copy.
    return scopes.size_ == 0 ? Scopes(nullptr, 0) : around(*scopes.begin());
  }

  [[nodiscard]] Dwarf_Die* begin() const { return list_.get(); }
  [[nodiscard]] Dwarf_Die* end() const { return list_.get() + size_; }

 private:
  struct Free {
    void operator()(Dwarf_Die* list) const { std::free(list); }
  };

  Scopes(Dwarf_Die* list, int count)
      : list_(count > 0 ? list : nullptr), size_(count > 0 ? static_cast<std::size_t>(count) : 0) {}

  std::unique_ptr<Dwarf_Die, Free> list_;
  std::size_t size_;
};

}  // namespace anyorder::report
