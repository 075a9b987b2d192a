#include "report/frame_layout.hpp"

#include <dwarf.h>

#include "report/malloced.hpp"

namespace anyorder::report {

namespace {

#if defined(__x86_64__)
constexpr unsigned kFramePointer = 6;  // rbp
constexpr unsigned kStackPointer = 7;  // rsp
#else
constexpr unsigned kFramePointer = ~0U;
constexpr unsigned kStackPointer = ~0U;
#endif

// What an operation stands for that adds a number to a register.
struct RegisterOffset {
  unsigned number;
  std::intptr_t offset;
};

std::optional<RegisterOffset> register_offset(const Dwarf_Op& operation) {
  if (operation.atom >= DW_OP_breg0 && operation.atom <= DW_OP_breg31) {
    return RegisterOffset{static_cast<unsigned>(operation.atom - DW_OP_breg0),
                          static_cast<std::intptr_t>(operation.number)};
  }
  if (operation.atom == DW_OP_bregx) {
    return RegisterOffset{static_cast<unsigned>(operation.number),
                          static_cast<std::intptr_t>(operation.number2)};
  }
  return std::nullopt;
}

// How the unwind information gives the canonical frame address at `address`, and up to where it does so.
struct UnwindRow {
  RegisterOffset cfa;
  Dwarf_Addr end;
};

std::optional<UnwindRow> unwind_row(Dwarf_CFI* unwind, Dwarf_Addr address) {
  Dwarf_Frame* list = nullptr;
  if (dwarf_cfi_addrframe(unwind, address, &list) != 0) return std::nullopt;
  const Malloced<Dwarf_Frame> frame(list);
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  bool is_signal_frame = false;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_info(frame.get(), &begin, &end, &is_signal_frame) < 0 || end <= address ||
      dwarf_frame_cfa(frame.get(), &operations, &count) != 0 || count != 1) {
    return std::nullopt;
  }
  const std::optional<RegisterOffset> cfa = register_offset(operations[0]);
  if (!cfa) return std::nullopt;
  return UnwindRow{*cfa, end};
}

}  // namespace

FrameLayout::FrameLayout(Dwfl_Module* module, Dwarf_Die subprogram, Dwarf_Addr bias) {
  Dwarf_Addr unwind_bias = 0;
  Dwarf_CFI* unwind = dwfl_module_eh_cfi(module, &unwind_bias);
  if (unwind == nullptr) unwind = dwfl_module_dwarf_cfi(module, &unwind_bias);
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  for (std::ptrdiff_t at = 0;
       unwind != nullptr && (at = dwarf_ranges(&subprogram, at, &base, &begin, &end)) > 0;) {
    for (Dwarf_Addr address = begin + bias - unwind_bias; address < end + bias - unwind_bias;) {
      const std::optional<UnwindRow> row = unwind_row(unwind, address);
      if (!row) break;
      // The prologue moves the stack pointer away from the frame's address, the epilogue back: the largest
      // distance is that of the body, unless calls push arguments, which they do only for the seventh on.
      if (row->cfa.number == kStackPointer && (!stack_pointer_ || -row->cfa.offset < *stack_pointer_)) {
        stack_pointer_ = -row->cfa.offset;
      }
      if (row->cfa.number == kFramePointer) frame_pointer_ = -row->cfa.offset;
      address = row->end;
    }
  }
  // A function with a frame pointer may move the stack pointer as it likes, unseen by the rows above.
  if (frame_pointer_) stack_pointer_.reset();

  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr_integrate(&subprogram, DW_AT_frame_base, &attribute) == nullptr ||
      dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1) {
    return;
  }
  const unsigned atom = operations[0].atom;
  if (atom == DW_OP_call_frame_cfa) {
    frame_base_ = 0;
  } else if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
    if (atom - DW_OP_reg0 == kFramePointer) frame_base_ = frame_pointer_;
    if (atom - DW_OP_reg0 == kStackPointer) frame_base_ = stack_pointer_;
  } else {
    frame_base_ = place(operations[0]);
  }
}

std::vector<FrameLayout::Piece> FrameLayout::pieces(const Dwarf_Op* operations, std::size_t count,
                                                    std::uint64_t size) const {
  std::vector<Piece> pieces;
  if (count == 1) {
    if (const auto whole = place(operations[0])) pieces.push_back({*whole, 0, size});
    return pieces;
  }
  // A list of parts, each with an expression of its own, which may be empty: that part has no place.
  std::uint64_t offset = 0;
  std::size_t first = 0;  // of the part's expression
  for (std::size_t i = 0; i < count; ++i) {
    if (operations[i].atom == DW_OP_bit_piece) break;
    if (operations[i].atom != DW_OP_piece) continue;
    const std::uint64_t part = operations[i].number;
    if (i - first == 1) {
      if (const auto where = place(operations[first])) pieces.push_back({*where, offset, part});
    }
    offset += part;
    first = i + 1;
  }
  return pieces;
}

std::optional<std::intptr_t> FrameLayout::place(const Dwarf_Op& operation) const {
  std::optional<std::intptr_t> start;
  std::intptr_t offset = 0;
  if (operation.atom == DW_OP_fbreg) {
    start = frame_base_;
    offset = static_cast<std::intptr_t>(operation.number);
  } else if (const std::optional<RegisterOffset> relative = register_offset(operation)) {
    if (relative->number == kFramePointer) start = frame_pointer_;
    if (relative->number == kStackPointer) start = stack_pointer_;
    offset = relative->offset;
  }
  if (!start) return std::nullopt;
  return *start + offset;
}

}  // namespace anyorder::report
