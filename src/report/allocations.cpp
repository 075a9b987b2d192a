#include "report/allocations.hpp"

#include <dwarf.h>
#include <optional>
#include <string_view>

#include "report/names.hpp"

namespace anyorder::report {
namespace {

// The class that a function is a member of, if it is an allocator.
std::optional<Dwarf_Die> allocator_of(Dwarf_Die* function) {
  Dwarf_Die declaration = declaration_of(*function);
  std::optional<Dwarf_Die> scope = scope_around(&declaration);
  if (!scope) return std::nullopt;
  const char* name = dwarf_diename(&*scope);
  if (name == nullptr) return std::nullopt;
  for (const std::string_view open : {"__new_allocator<", "new_allocator<", "allocator<"}) {
    if (std::string_view(name).starts_with(open)) return scope;
  }
  return std::nullopt;
}

}  // namespace

std::shared_ptr<const ObjectType> Allocations::element_at(std::uintptr_t pc) {
  const auto [entry, is_new] = elements_.try_emplace(pc);
  if (!is_new) return entry->second;
  const std::optional<Unit> unit = image_.unit_at(pc);
  if (!unit) return nullptr;
  for (Dwarf_Die& scope : image_.scopes_at(*unit, pc)) {
    const int tag = dwarf_tag(&scope);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    std::optional<Dwarf_Die> allocator = allocator_of(&scope);
    if (!allocator) continue;
    Dwarf_Die child;
    for (int more = dwarf_child(&*allocator, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
      if (dwarf_tag(&child) == DW_TAG_template_type_parameter) return entry->second = types_.of(&child);
    }
  }
  return nullptr;
}

std::shared_ptr<const ObjectType> Allocations::type_of(const findings::Trace& allocated_at,
                                                       std::uint64_t bytes) {
  // The allocator is near: what called its container is not asked.
  constexpr int kMostFrames = 3;
  int seen = 0;
  for (const findings::Frame& frame : allocated_at) {
    if (frame.pc == 0 || ++seen > kMostFrames) break;
    std::shared_ptr<const ObjectType> element = element_at(frame.pc);
    if (!element || element->size == 0) continue;
    if (bytes == element->size) return element;
    return bytes > element->size ? array_of(element, bytes) : nullptr;
  }
  return nullptr;
}

}  // namespace anyorder::report
