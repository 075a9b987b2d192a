// Words of source text.
#pragma once

namespace anyorder::report {

// Whether the character can be part of a name or a number.
[[nodiscard]] constexpr bool is_in_word(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace anyorder::report
