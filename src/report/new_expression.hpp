// A new-expression in a line of source: which type is written there. Compilers do not tell it otherwise: only
// debug information for Windows has the types of allocations.
//
// Contract: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace anyorder::report {

struct NewExpression {
  std::string
      name;  // of the type, as it is written, without spaces but between words: "ns::Node", "unsigned long"
  std::string pointers;   // "**" behind it
  bool is_array = false;  // of one dimension
};

// The expression that begins or ends at this column, in bytes from 1, as compilers note the call of operator
// new: clang its beginning, g++ its end, or the beginning of the type if nothing follows that. Nothing if
// there is none, if it goes on to another line and so has no known end, or is of a form that is not
// understood.
[[nodiscard]] std::optional<NewExpression> new_expression_at(std::string_view line, std::uint32_t column);

// How often some lines declare a type of that name, the part behind its last "::": as a class or an
// enumeration, and as another name of a type.
struct Declarations {
  std::size_t types = 0;
  std::size_t aliases = 0;
};
[[nodiscard]] Declarations declarations_of(std::span<const std::string> lines, std::string_view name);

// The size of a type that is part of the language, or a name of one in the C library; 0: it is none.
[[nodiscard]] std::uint64_t size_of_builtin(std::string_view name);

}  // namespace anyorder::report
