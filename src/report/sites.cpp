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
constexpr std::size_t kMostInlined = 1000;

// Where an offset leads from the address at which it stands.
std::uintptr_t behind(std::uintptr_t address, std::int32_t offset) {
  return address + static_cast<std::uintptr_t>(std::intptr_t{offset});
}

}  // namespace

template <class T>
std::optional<T> Sites::Section::at(std::uintptr_t address) const {
  const std::uintptr_t offset = address - begin;
  if (offset >= bytes || bytes - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, data + offset, sizeof value);
  return value;
}

std::string Sites::Section::text_at(std::uintptr_t address) const {
  const std::uintptr_t offset = address - begin;
  return offset >= bytes ? std::string() : std::string(data + offset, strnlen(data + offset, bytes - offset));
}

Trace::Frames Sites::frames_at(std::uintptr_t address) {
  const Sections& sections = sections_at(address);
  const auto entry = sections.entries.at<events::SiteEntry>(address);
  if (!entry) return {};
  Trace::Frames frames;
  for (std::uintptr_t at = behind(address, *entry); frames.size() < kMostInlined;) {
    const auto record = sections.records.at<SiteRecord>(at);
    if (!record) return {};
    const auto text_at = [&](std::size_t field, std::int32_t offset) {
      return offset == 0 ? std::string() : sections.texts.text_at(behind(at + field, offset));
    };
    Frame frame{address, {}};
    frame.source.file = text_at(offsetof(SiteRecord, file), record->file);
    frame.source.line = record->line;
    frame.source.column = record->column;
    frame.source.function = demangled(text_at(offsetof(SiteRecord, function), record->function).c_str());
    if (says_too_little(frame.source.function) && record->declared != 0) {
      frame.source.function = text_at(offsetof(SiteRecord, declared), record->declared);
    }
    if (!frame.source.known()) return {};
    frame.source.file = std::filesystem::path(frame.source.file).lexically_normal().string();
    frame.expression = text_at(offsetof(SiteRecord, expression), record->expression);
    frames.push_back(std::move(frame));
    if (record->caller == 0) return frames;
    at = behind(at + offsetof(SiteRecord, caller), record->caller);
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
    for (const auto& [wanted, to] : {std::pair(events::kSiteSection, &found.entries),
                                     std::pair(events::kSiteRecordSection, &found.records),
                                     std::pair(events::kSiteTextSection, &found.texts)}) {
      if (std::string_view(name) != wanted) continue;
      const Elf_Data* const data = elf_rawdata(section, nullptr);
      if (data == nullptr || data->d_buf == nullptr) continue;
      *to = {static_cast<const char*>(data->d_buf), header.sh_addr + bias, data->d_size};
    }
  }
  return found;
}

}  // namespace anyorder::report
