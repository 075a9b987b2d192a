// Places of accesses that the program itself describes, in a table that frontends/llvm_pass put into it
// (events/site.hpp): also where there is no debug information, or no longer.
//
// Contract: not thread-safe; uses the image it was given as long as it lives. An entry whose record is not
// whole is none.
#pragma once

#include <cstdint>
#include <elfutils/libdwfl.h>
#include <optional>
#include <string>
#include <unordered_map>

#include "findings/source.hpp"
#include "report/image.hpp"

namespace anyorder::report {

class Sites {
 public:
  explicit Sites(Image& image) : image_(image) {}

  // As Symbolizer::frames_at; empty: there is no entry at this address.
  [[nodiscard]] findings::Trace::Frames frames_at(std::uintptr_t address);

 private:
  // A section as the file has it; all zero: there is none.
  struct Section {
    const char* data = nullptr;
    std::uintptr_t begin = 0;  // as the process saw it
    std::size_t bytes = 0;

    // Nothing: it is not all there.
    template <class T>
    [[nodiscard]] std::optional<T> at(std::uintptr_t address) const;
    [[nodiscard]] std::string text_at(std::uintptr_t address) const;
  };
  struct Sections {
    Section entries;
    Section records;
    Section texts;
  };

  [[nodiscard]] const Sections& sections_at(std::uintptr_t address);
  [[nodiscard]] static Sections sections_of(Dwfl_Module* module);

  Image& image_;
  std::unordered_map<Dwfl_Module*, Sections> sections_;
};

}  // namespace anyorder::report
