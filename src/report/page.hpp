// What the parts of the report for people share: colours, width, and how places and tasks are called.
//
// Contract: one thread; the stream outlives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "findings/source.hpp"
#include "report/report.hpp"
#include "report/source_files.hpp"

namespace anyorder::report {

class Page {
 public:
  enum class Style : std::uint8_t { plain, bad, good, doubtful, dim, mark };

  Page(std::ostream& out, const TextStyle& style, SourceFiles files);

  [[nodiscard]] std::ostream& out() { return out_; }
  [[nodiscard]] const TextStyle& style() const { return style_; }
  [[nodiscard]] std::string styled(Style style, std::string text) const;

  // "app.cpp:12", "0x1234 of libx.so"; files below the current directory relative to it.
  [[nodiscard]] std::string place(const findings::Frame& frame) const;
  // The same, after `before` was named: "line 14" if that is in the same file.
  [[nodiscard]] std::string place_after(const findings::Frame& before, const findings::Frame& frame) const;
  // With the function: "app.cpp:12 in work(int)".
  [[nodiscard]] std::string place_in_function(const findings::Frame& frame) const;

  // "the main task", "task 5"
  [[nodiscard]] static std::string task(std::uint64_t number);
  // The same with the places of its creation and those before it, the nearest.
  [[nodiscard]] std::string task_with_creations(std::uint64_t number,
                                                const findings::Trace& created_at) const;

  // The source line with a mark under its column. False: the file does not show it.
  bool excerpt(const findings::Frame& frame, std::string_view indent);

  // Broken into lines that fit.
  void paragraph(std::string_view text, std::string_view indent);

 private:
  // Of a frame with a line, relative to the current directory if it is below that; else empty.
  [[nodiscard]] std::string shown_file(const findings::Frame& frame) const;

  std::ostream& out_;
  const TextStyle& style_;
  SourceFiles files_;
  std::string here_;  // the current directory, with a '/' at its end; empty: not known
};

}  // namespace anyorder::report
