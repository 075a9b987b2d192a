// Code addresses of one process to functions and source lines.
//
// Contract: not thread-safe; uses the image it was given as long as it lives. What cannot be resolved stays
// an address, with the module's path if there is one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "findings/source.hpp"
#include "report/image.hpp"
#include "report/sites.hpp"

namespace anyorder::report {

class Symbolizer {
 public:
  explicit Symbolizer(Image& image) : image_(image) {}

  // The frames at `pc`, innermost first: of the functions that were inlined there, then of the function that
  // has the code. At least one. Of a place that the program describes itself, the same as it says.
  [[nodiscard]] const findings::Trace::Frames& frames_at(std::uintptr_t pc);

  // A call stack with all its frames, the inlined ones among them. Frames that have a line stay as they are.
  [[nodiscard]] findings::Trace stack(const findings::Trace& trace);

  // Places of creation: one frame for one address, that in the user's own code.
  [[nodiscard]] findings::Trace creations(const findings::Trace& trace);

  // The function that has the code at `pc`, whatever was inlined there; empty: not known.
  [[nodiscard]] std::string function_at(std::uintptr_t pc);

 private:
  [[nodiscard]] findings::Trace::Frames resolve(std::uintptr_t pc);
  // The function that has code at `pc` by the symbol table.
  [[nodiscard]] std::string symbol_at(std::uintptr_t pc) const;

  Image& image_;
  Sites sites_{image_};
  std::unordered_map<std::uintptr_t, findings::Trace::Frames> frames_;
  // Findings share traces: each is resolved once, and shared again.
  std::map<findings::Trace, findings::Trace> stacks_;
  std::map<findings::Trace, findings::Trace> creations_;
};

}  // namespace anyorder::report
