// Text from files, symbol tables and programs, made fit for a terminal.
//
// Contract: pure functions. Widths are counted in characters; that some are two columns wide is not known.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace anyorder::report {

// The same as UTF-8: bytes that are none become U+FFFD, and control characters too, so that nothing in a name
// can steer the terminal. A tab becomes a blank.
[[nodiscard]] std::string printable(std::string_view text);

// Of printable text.
[[nodiscard]] std::size_t width_of(std::string_view text);

// The first `width` characters, or all.
[[nodiscard]] std::string_view first_characters(std::string_view text, std::size_t width);

// What is shown of a name in the text.
inline constexpr std::size_t kLongestName = 120;

// Printable text of at most `most` characters: of a longer one the middle is left out. A name of thousands of
// characters, as templates make them, is recognised by its beginning and its end.
[[nodiscard]] std::string elided(std::string_view text, std::size_t most);

}  // namespace anyorder::report
