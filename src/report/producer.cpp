#include "report/producer.hpp"

#include <cstdlib>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace anyorder::report {
namespace {

constexpr long kFirstWithoutTheGap = 21;

bool is_forgetful(std::string_view producer) {
  if (producer.find("anyorder") != std::string_view::npos) return false;  // our pass has instrumented it
  constexpr std::string_view kClang = "clang version ";
  const std::size_t at = producer.find(kClang);
  if (at == std::string_view::npos) return false;
  const long version = std::strtol(std::string(producer.substr(at + kClang.size())).c_str(), nullptr, 10);
  return version < kFirstWithoutTheGap;
}

bool has_forgetful_unit(Dwarf* dwarf) {
  Dwarf_Off offset = 0;
  Dwarf_Off next = 0;
  std::size_t header = 0;
  while (dwarf_nextcu(dwarf, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
    Dwarf_Die unit;
    Dwarf_Attribute attribute;
    if (dwarf_offdie(dwarf, offset + header, &unit) != nullptr &&
        dwarf_attr(&unit, DW_AT_producer, &attribute) != nullptr) {
      const char* const producer = dwarf_formstring(&attribute);
      if (producer != nullptr && is_forgetful(producer)) return true;
    }
    offset = next;
  }
  return false;
}

}  // namespace

bool is_from_forgetful_clang(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  bool found = false;
  if (Dwarf* const dwarf = dwarf_begin(file, DWARF_C_READ)) {
    found = has_forgetful_unit(dwarf);
    dwarf_end(dwarf);
  }
  close(file);
  return found;
}

}  // namespace anyorder::report
