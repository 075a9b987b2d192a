#include "report/globals.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "report/names.hpp"

namespace anyorder::report {

Extent Globals::at(std::uintptr_t address, std::uintptr_t limit) {
  Dwfl_Module* module = image_.module_at(address);
  if (module == nullptr) return {0, limit, {}, nullptr};
  const std::vector<Symbol>& symbols = symbols_of(module);
  const auto after =
      std::upper_bound(symbols.begin(), symbols.end(), address,
                       [](std::uintptr_t value, const Symbol& symbol) { return value < symbol.begin; });
  if (after != symbols.begin()) {
    const Symbol& symbol = *std::prev(after);
    if (address < symbol.end) {
      std::optional<Dwarf_Die> variable = statics_.at(symbol.base);
      std::string name = demangled(symbol.name);
      // The demangler gives up on names of thousands of characters.
      if (is_mangled(name) && variable) name = qualified_name(&*variable);
      return {symbol.base, std::min(symbol.end, limit), std::move(name),
              variable ? types_.of(&*variable) : nullptr};
    }
  }
  return {0, after == symbols.end() ? limit : std::min(after->begin, limit), {}, nullptr};
}

// elfutils walks the whole table for each address; here it is walked once.
const std::vector<Globals::Symbol>& Globals::symbols_of(Dwfl_Module* module) {
  const auto [entry, is_new] = symbols_.try_emplace(module);
  if (!is_new) return entry->second;

  struct Candidate {
    Symbol symbol;
    bool is_local;
  };
  std::vector<Candidate> candidates;
  const int count = dwfl_module_getsymtab(module);
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol{};
    GElf_Addr address = 0;
    GElf_Word section = 0;
    const char* name = dwfl_module_getsym_info(module, i, &symbol, &address, &section, nullptr, nullptr);
    const int type = GELF_ST_TYPE(symbol.st_info);
    if (name == nullptr || *name == '\0' || section == SHN_UNDEF || symbol.st_size == 0) continue;
    if (type != STT_OBJECT && type != STT_COMMON) continue;
    candidates.push_back(
        {{address, address + symbol.st_size, address, name}, GELF_ST_BIND(symbol.st_info) == STB_LOCAL});
  }
  // Of two names for one place the larger object's counts, then the one that the linker knows, then the
  // first in the alphabet. What overlaps keeps the bytes that are not in an object before it.
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tuple(a.symbol.begin, b.symbol.end, a.is_local, std::string_view(a.symbol.name)) <
           std::tuple(b.symbol.begin, a.symbol.end, b.is_local, std::string_view(b.symbol.name));
  });
  std::vector<Symbol>& symbols = entry->second;
  for (const Candidate& candidate : candidates) {
    Symbol symbol = candidate.symbol;
    if (!symbols.empty()) symbol.begin = std::max(symbol.begin, symbols.back().end);
    if (symbol.begin < symbol.end) symbols.push_back(symbol);
  }
  return symbols;
}

}  // namespace anyorder::report
