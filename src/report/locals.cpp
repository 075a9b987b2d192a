#include "report/locals.hpp"

#include <algorithm>
#include <cstddef>
#include <dwarf.h>
#include <utility>

#include "report/frame_layout.hpp"
#include "report/functions.hpp"
#include "report/names.hpp"

namespace anyorder::report {

Extent Locals::at(std::uintptr_t pc, std::uintptr_t cfa, std::uintptr_t address, std::uintptr_t limit) {
  Extent extent{0, limit, {}, nullptr};
  Function* function = cfa == 0 ? nullptr : function_at(pc);
  if (function == nullptr) return extent;

  const auto place = static_cast<std::intptr_t>(address - cfa);
  const Part* found = nullptr;
  bool found_has_pc = false;
  bool is_ambiguous = false;
  for (Part& part : function->parts) {
    // What holds for `address` holds up to where the next variable begins or one ends.
    for (const std::intptr_t border : {part.begin, part.end}) {
      if (border > place) extent.end = std::min(extent.end, cfa + static_cast<std::uintptr_t>(border));
    }
    if (place < part.begin || place >= part.end) continue;
    const bool has_pc = dwarf_haspc(&part.scope, pc - function->bias) > 0;
    const auto rank = std::pair(has_pc, has_pc ? part.depth : 0);
    const auto best = std::pair(found_has_pc, found_has_pc && found != nullptr ? found->depth : 0);
    if (found == nullptr || rank > best) {
      found = &part;
      found_has_pc = has_pc;
      is_ambiguous = false;
    } else if (rank == best) {
      is_ambiguous = is_ambiguous || part.name != found->name || part.base != found->base;
    }
  }
  if (found != nullptr && !is_ambiguous) {
    extent.base = cfa + static_cast<std::uintptr_t>(found->base);
    extent.name = found->name;
    extent.type = found->type;
    if (found->is_inlined) {
      Dwarf_Die inlined = found->inlined;
      extent.function = linkage_name(&inlined);
      if (extent.function.empty()) extent.function = qualified_name(&inlined);
    }
  }
  return extent;
}

std::uintptr_t Locals::entry_of(std::uintptr_t pc) {
  const Function* function = function_at(pc);
  return function == nullptr ? pc : function->entry;
}

Locals::Function* Locals::function_at(std::uintptr_t pc) {
  const auto [cached, is_new_pc] = functions_at_.try_emplace(pc, nullptr);
  if (!is_new_pc) return cached->second;
  const std::optional<Unit> unit = image_.unit_at(pc);
  if (!unit) return nullptr;
  const std::vector<Dwarf_Die> scopes = image_.scopes_at(*unit, pc);
  if (scopes.empty()) return nullptr;
  Dwarf_Die subprogram = scopes.back();

  const auto [entry, is_new] = functions_.try_emplace(subprogram.addr);
  Function& function = entry->second;
  cached->second = &function;
  if (!is_new) return &function;

  function.bias = unit->bias;
  Dwarf_Addr first = 0;
  function.entry = dwarf_entrypc(&subprogram, &first) == 0 ? first + unit->bias : pc;
  const FrameLayout layout(image_.module_at(pc), subprogram, unit->bias);
  std::vector<Scope> pending{{subprogram, 0, {}, false}};
  while (!pending.empty()) {
    Scope scope = pending.back();
    pending.pop_back();
    Dwarf_Die child;
    for (int more = dwarf_child(&scope.entry, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_inlined_subroutine) {
        pending.push_back({child, scope.depth + 1, child, true});
      } else if (is_block(tag)) {
        pending.push_back({child, scope.depth + 1, scope.inlined, scope.is_inlined});
      }
      if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) continue;
      add_variable(function, layout, &child, scope);
    }
  }
  return &function;
}

void Locals::add_variable(Function& function, const FrameLayout& layout, Dwarf_Die* variable,
                          const Scope& scope) {
  const char* name = dwarf_diename(variable);
  Dwarf_Die type;
  const std::uint64_t size = type_of(variable, &type) ? size_of_type(&type) : 0;
  Dwarf_Attribute location;
  if (name == nullptr || size == 0 || dwarf_attr(variable, DW_AT_location, &location) == nullptr) return;
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  // A variable may be in a register for a while; its places in the frame are those that can be shared.
  for (std::ptrdiff_t at = 0;
       (at = dwarf_getlocations(&location, at, &base, &begin, &end, &operations, &count)) > 0;) {
    for (const FrameLayout::Piece& piece : layout.pieces(operations, count, size)) {
      function.parts.push_back({piece.place, piece.place + static_cast<std::intptr_t>(piece.size),
                                piece.place - static_cast<std::intptr_t>(piece.offset), name,
                                types_.of(variable), scope.entry, scope.depth, scope.inlined,
                                scope.is_inlined});
    }
  }
}

}  // namespace anyorder::report
