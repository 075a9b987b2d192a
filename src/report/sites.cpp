#include "report/sites.hpp"

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <gelf.h>
#include <string_view>
#include <utility>

#include "events/site.hpp"
#include "report/names.hpp"

namespace anyorder::report {

namespace {

using events::SiteRecord;
using findings::Frame;
using findings::Trace;

// Functions inlined into each other. More would be a record that leads back to itself.
constexpr std::size_t kMostFrames = 1000;

}  // namespace

Trace::Frames Sites::frames_at(std::uintptr_t address) {
  const auto& [records, texts] = sections_at(address);
  const auto text_at = [&texts = texts](std::uintptr_t record, std::size_t field, std::int32_t offset) {
    const std::uintptr_t at = record + field + static_cast<std::intptr_t>(offset) - texts.begin;
    if (offset == 0 || at >= texts.bytes) return std::string();
    const char* const begin = texts.data + at;
    return std::string(begin, strnlen(begin, texts.bytes - at));
  };

  Trace::Frames frames;
  for (std::uintptr_t at = address; frames.size() < kMostFrames;) {
    const std::uintptr_t offset = at - records.begin;
    if (offset >= records.bytes || records.bytes - offset < sizeof(SiteRecord)) return {};
    SiteRecord record;
    std::memcpy(&record, records.data + offset, sizeof record);
    Frame frame{address, {}};
    frame.source.file = text_at(at, offsetof(SiteRecord, file), record.file);
    frame.source.line = record.line;
    frame.source.column = record.column;
    frame.source.function = demangled(text_at(at, offsetof(SiteRecord, function), record.function).c_str());
    if (says_too_little(frame.source.function) && record.declared != 0) {
      frame.source.function = text_at(at, offsetof(SiteRecord, declared), record.declared);
    }
    if (!frame.source.known()) return {};
    frame.source.file = std::filesystem::path(frame.source.file).lexically_normal().string();
    frame.expression = text_at(at, offsetof(SiteRecord, expression), record.expression);
    frames.push_back(std::move(frame));
    if (record.caller == 0) return frames;
    at += offsetof(SiteRecord, caller) + static_cast<std::uintptr_t>(std::intptr_t{record.caller});
  }
  return {};
}

const Sites::Sections& Sites::sections_at(std::uintptr_t address) {
  Dwfl_Module* const module = image_.module_at(address);
  const auto [entry, is_new] = sections_.try_emplace(module);
  if (is_new && module != nullptr) entry->second = sections_of(module);
  return entry->second;
}

Sites::Sections Sites::sections_of(Dwfl_Module* module) {
  Sections found;
  GElf_Addr bias = 0;
  Elf* const elf = dwfl_module_getelf(module, &bias);
  std::size_t names = 0;
  if (elf == nullptr || elf_getshdrstrndx(elf, &names) != 0) return found;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS) continue;
    const char* const name = elf_strptr(elf, names, header.sh_name);
    if (name == nullptr) continue;
    Section* const wanted = std::string_view(name) == events::kSiteSection       ? &found.records
                            : std::string_view(name) == events::kSiteTextSection ? &found.texts
                                                                                 : nullptr;
    if (wanted == nullptr) continue;
    const Elf_Data* const data = elf_rawdata(section, nullptr);
    if (data != nullptr && data->d_buf != nullptr) {
      *wanted = {static_cast<const char*>(data->d_buf), header.sh_addr + bias, data->d_size};
    }
  }
  return found;
}

}  // namespace anyorder::report
