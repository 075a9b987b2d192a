// Where a function keeps what its debug information places relative to a register or to its frame base:
// everything as a distance from the canonical frame address.
//
// Contract: a value. x86-64; on other processors it places only what is relative to the canonical frame
// address itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <optional>
#include <vector>

namespace anyorder::report {

class FrameLayout {
 public:
  // Of the function `subprogram`, of which the file of `module` has the unwind information.
  FrameLayout(Dwfl_Module* module, Dwarf_Die subprogram, Dwarf_Addr bias);

  // Bytes of a variable that have a fixed place in the frame.
  struct Piece {
    std::intptr_t place;
    std::uint64_t offset;  // in the variable
    std::uint64_t size;
  };

  // Those that a location expression for a variable of `size` bytes places; it may place some elsewhere.
  [[nodiscard]] std::vector<Piece> pieces(const Dwarf_Op* operations, std::size_t count,
                                          std::uint64_t size) const;

 private:
  [[nodiscard]] std::optional<std::intptr_t> place(const Dwarf_Op& operation) const;

  std::optional<std::intptr_t> frame_base_;
  std::optional<std::intptr_t> frame_pointer_;
  std::optional<std::intptr_t> stack_pointer_;  // behind the prologue
};

}  // namespace anyorder::report
