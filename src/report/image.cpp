#include "report/image.hpp"

#include <algorithm>
#include <dwarf.h>
#include <iterator>
#include <utility>

namespace anyorder::report {

namespace {

const Dwfl_Callbacks kCallbacks = {.find_elf = dwfl_build_id_find_elf,
                                   .find_debuginfo = dwfl_standard_find_debuginfo,
                                   .section_address = dwfl_offline_section_address,
                                   .debuginfo_path = nullptr};

}  // namespace

Image::Image(std::vector<record::Module> modules, const std::string& program)
    : modules_(std::move(modules)), dwfl_(dwfl_begin(&kCallbacks)) {
  for (record::Module& module : modules_) {
    if (module.path.empty()) module.path = program;
  }
  if (!dwfl_) return;
  dwfl_report_begin(dwfl_.get());
  for (const record::Module& module : modules_) {
    // Null for what is no file ("[vdso]"), is gone or is no ELF file. That is the case that is left out.
    dwfl_report_elf(dwfl_.get(), module.path.c_str(), module.path.c_str(), -1, module.bias, true);
  }
  dwfl_report_end(dwfl_.get(), nullptr, nullptr);
}

Dwfl_Module* Image::module_at(std::uintptr_t address) const {
  return dwfl_ ? dwfl_addrmodule(dwfl_.get(), address) : nullptr;
}

std::string Image::path_at(std::uintptr_t address) const {
  const auto found = std::find_if(modules_.begin(), modules_.end(), [address](const record::Module& module) {
    return module.begin <= address && address < module.end;
  });
  return found == modules_.end() ? std::string() : found->path;
}

std::optional<Unit> Image::unit_at(std::uintptr_t pc) {
  Dwfl_Module* module = module_at(pc);
  if (module == nullptr) return std::nullopt;
  const ModuleUnits& all = units_of(module);
  if (all.units.empty()) return std::nullopt;
  const Dwarf_Addr address = pc - all.units.front().bias;
  const auto after =
      std::upper_bound(all.ranges.begin(), all.ranges.end(), address,
                       [](Dwarf_Addr value, const CodeRange& range) { return value < range.begin; });
  if (after == all.ranges.begin() || address >= std::prev(after)->end) return std::nullopt;
  return all.units[std::prev(after)->unit];
}

std::vector<Dwarf_Die> Image::scopes_at(const Unit& unit, std::uintptr_t pc) {
  const auto entry = functions_.try_emplace(unit.code.addr, unit.code).first;
  return entry->second.scopes_at(pc - unit.bias);
}

// clang writes no .debug_aranges, which is all that elfutils 0.188 looks units up by. The units themselves
// say which code they have.
const Image::ModuleUnits& Image::units_of(Dwfl_Module* module) {
  const auto [entry, is_new] = units_.try_emplace(module);
  ModuleUnits& all = entry->second;
  if (!is_new) return all;

  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
    Unit found{*unit, *unit, bias};
    std::uint8_t type = 0;
    Dwarf_Die split{};
    if (dwarf_cu_info(unit->cu, nullptr, &type, nullptr, &split, nullptr, nullptr, nullptr) == 0 &&
        type == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid) {
      found.code = split;
    }
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &begin, &end)) > 0;) {
      // A function that the linker dropped leaves a range at 0.
      if (begin != 0 && begin < end) all.ranges.push_back({begin, end, all.units.size()});
    }
    all.units.push_back(found);
  }
  std::sort(all.ranges.begin(), all.ranges.end(),
            [](const CodeRange& a, const CodeRange& b) { return a.begin < b.begin; });
  return all;
}

}  // namespace anyorder::report
