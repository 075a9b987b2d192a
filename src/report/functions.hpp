// The functions of a compilation unit, by their code. dwarf_getscopes would do, if it looked into namespaces,
// where clang puts them.
//
// Contract: immutable; the entries live as long as the image that they are of.
#pragma once

#include <cstddef>
#include <elfutils/libdw.h>
#include <vector>

namespace anyorder::report {

// True for what divides a function's code: blocks and inlined copies of other functions.
[[nodiscard]] bool is_block(int tag);

class Functions {
 public:
  explicit Functions(Dwarf_Die unit);

  // The entries that have code at `address`, in the unit's own addresses, innermost first: blocks and inlined
  // copies, then the function that they are in. Empty: no function has code there.
  [[nodiscard]] std::vector<Dwarf_Die> scopes_at(Dwarf_Addr address) const;

 private:
  struct CodeRange {
    Dwarf_Addr begin;
    Dwarf_Addr end;
    Dwarf_Die function;
  };

  std::vector<CodeRange> ranges_;  // by `begin`
};

}  // namespace anyorder::report
