#include "report/symbolizer.hpp"

#include <algorithm>
#include <dwarf.h>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "findings/own_code.hpp"
#include "report/names.hpp"

namespace anyorder::report {

namespace {

using findings::Frame;
using findings::SourceLine;
using findings::Trace;

std::string absolute_path(Dwarf_Die* unit, const char* file) {
  namespace fs = std::filesystem;
  if (file == nullptr || std::string_view(file).empty() || std::string_view(file) == "???") return {};
  fs::path path = file;
  Dwarf_Attribute attribute;
  if (path.is_relative() && dwarf_attr(unit, DW_AT_comp_dir, &attribute) != nullptr) {
    if (const char* folder = dwarf_formstring(&attribute)) path = folder / path;
  }
  return path.lexically_normal().string();
}

// A place without a line has no file either: that is what Site takes for "not known".
SourceLine place(std::string file, int line, int column) {
  if (file.empty() || line <= 0) return {};
  return {
      std::move(file), static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(std::max(column, 0)), {}};
}

SourceLine line_of(Unit& unit, Dwarf_Line* row) {
  if (row == nullptr) return {};
  int line = 0;
  int column = 0;
  dwarf_lineno(row, &line);
  dwarf_linecol(row, &column);
  return place(absolute_path(&unit.lines, dwarf_linesrc(row, nullptr, nullptr)), line, column);
}

// The innermost function, inlined or not, that has the code; null: none.
const void* function_with(Image& image, const Unit& unit, std::uintptr_t pc) {
  for (Dwarf_Die& scope : image.scopes_at(unit, pc)) {
    const int tag = dwarf_tag(&scope);
    if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram) return scope.addr;
  }
  return nullptr;
}

// Code that an optimizer made one of several lines has the line 0. The nearest one of the same function,
// before it or else behind it, is where a reader finds it, without a column: that would say too much.
SourceLine line_near(Image& image, Unit& unit, std::uintptr_t pc) {
  Dwarf_Lines* rows = nullptr;
  std::size_t count = 0;
  const void* const function = function_with(image, unit, pc);
  if (function == nullptr || dwarf_getsrclines(&unit.lines, &rows, &count) != 0) return {};
  const auto address_of = [&](std::size_t row) {
    Dwarf_Addr address = 0;
    dwarf_lineaddr(dwarf_onesrcline(rows, row), &address);
    return address;
  };
  std::size_t begin = 0;
  for (std::size_t end = count; begin < end;) {  // towards the first row behind the address
    const std::size_t middle = begin + (end - begin) / 2;
    if (address_of(middle) <= pc - unit.bias) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  constexpr std::size_t kMostRows = 200;  // on each side: functions of others may be inlined in between
  const auto at = [&](std::size_t row) {
    if (function_with(image, unit, address_of(row) + unit.bias) != function) return SourceLine{};
    SourceLine line = line_of(unit, dwarf_onesrcline(rows, row));
    line.column = 0;
    return line;
  };
  for (std::size_t row = begin; row > 0 && begin - row < kMostRows; --row) {
    if (SourceLine line = at(row - 1); line.known()) return line;
  }
  for (std::size_t row = begin; row < count && row - begin < kMostRows; ++row) {
    if (SourceLine line = at(row); line.known()) return line;
  }
  return {};
}

SourceLine line_at(Image& image, Unit& unit, std::uintptr_t pc) {
  SourceLine line = line_of(unit, dwarf_getsrc_die(&unit.lines, pc - unit.bias));
  return line.known() ? line : line_near(image, unit, pc);
}

int constant(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr(die, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) return 0;
  return static_cast<int>(value);
}

// Where the function of `inlined` was called.
SourceLine call_site(Unit& unit, Dwarf_Die* inlined) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const int file = constant(inlined, DW_AT_call_file);
  if (dwarf_getsrcfiles(&unit.code, &files, &count) != 0 || file < 0 ||
      static_cast<std::size_t>(file) >= count) {
    return {};
  }
  return place(
      absolute_path(&unit.lines, dwarf_filesrc(files, static_cast<std::size_t>(file), nullptr, nullptr)),
      constant(inlined, DW_AT_call_line), constant(inlined, DW_AT_call_column));
}

}  // namespace

const Trace::Frames& Symbolizer::frames_at(std::uintptr_t pc) {
  const auto found = frames_.find(pc);
  if (found != frames_.end()) return found->second;
  Trace::Frames frames = resolve(pc);
  for (Frame& frame : frames) {
    if (!frame.source.known()) frame.module = image_.path_at(pc);
  }
  return frames_.emplace(pc, std::move(frames)).first->second;
}

Trace::Frames Symbolizer::resolve(std::uintptr_t pc) {
  Trace::Frames frames = sites_.frames_at(pc);
  if (!frames.empty()) return frames;
  if (std::optional<Unit> unit = image_.unit_at(pc)) {
    SourceLine here = line_at(image_, *unit, pc);
    for (Dwarf_Die& scope : image_.scopes_at(*unit, pc)) {
      const int tag = dwarf_tag(&scope);
      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
      here.function = linkage_name(&scope);
      if (here.function.empty() && tag == DW_TAG_subprogram) here.function = symbol_at(pc);
      if (says_too_little(here.function)) {
        const std::string declared = qualified_name(&scope);
        if (!declared.empty()) here.function = declared;
      }
      frames.push_back({pc, std::move(here)});
      if (tag == DW_TAG_subprogram) return frames;
      here = call_site(*unit, &scope);
    }
    if (here.known()) {
      here.function = symbol_at(pc);
      frames.push_back({pc, std::move(here)});
    }
  }
  if (frames.empty()) frames.push_back({pc, {{}, 0, 0, symbol_at(pc)}});
  return frames;
}

Trace Symbolizer::stack(const Trace& trace) {
  if (trace.empty()) return trace;
  const auto [entry, is_new] = stacks_.try_emplace(trace);
  if (!is_new) return entry->second;
  Trace::Frames frames;
  std::vector<std::size_t> begins;  // of each recorded frame's own
  for (const Frame& frame : trace) {
    begins.push_back(frames.size());
    if (frame.pc == 0 || frame.source.known()) {
      frames.push_back(frame);
      continue;
    }
    const Trace::Frames& resolved = frames_at(frame.pc);
    frames.insert(frames.end(), resolved.begin(), resolved.end());
    findings::Skipped skipped = frame.skipped;
    if (skipped.period != 0) {
      const std::uint64_t rounds = skipped.calls / skipped.period;
      skipped.period = frames.size() - begins[begins.size() - skipped.period];
      skipped.calls = rounds * skipped.period;
    }
    frames.back().skipped = skipped;
  }
  return entry->second = Trace(std::move(frames));
}

Trace Symbolizer::creations(const Trace& trace) {
  if (trace.empty()) return trace;
  const auto [entry, is_new] = creations_.try_emplace(trace);
  if (!is_new) return entry->second;
  Trace::Frames frames;
  for (const Frame& frame : trace) {
    const bool is_done = frame.pc == 0 || frame.source.known();
    frames.push_back(is_done ? frame : findings::frame_in_own_code(Trace(frames_at(frame.pc))));
  }
  return entry->second = Trace(std::move(frames));
}

std::string Symbolizer::function_at(std::uintptr_t pc) { return frames_at(pc).back().source.function; }

std::string Symbolizer::symbol_at(std::uintptr_t pc) const {
  Dwfl_Module* module = image_.module_at(pc);
  if (module == nullptr) return {};
  GElf_Off offset = 0;
  GElf_Sym symbol{};
  const char* name = dwfl_module_addrinfo(module, pc, &offset, &symbol, nullptr, nullptr, nullptr);
  const bool is_function = name != nullptr && GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
  return is_function && (offset < symbol.st_size || symbol.st_size == 0) ? demangled(name) : std::string();
}

}  // namespace anyorder::report
