// Command lines as text: split into words, and written so that a shell reads the same words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace anyorder::cli {

// Words by the rules of gcc's response files: separated by white space; quotes of both kinds group; a
// backslash takes the next character as it is, within quotes of either kind, too.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

// As exec wants them: a pointer to each, and a null pointer. Valid as long as `words` is.
[[nodiscard]] std::vector<char*> pointers_to(const std::vector<std::string>& words);

[[nodiscard]] std::string quoted_for_shell(std::span<const std::string> words);

// `arguments` with every @file replaced by the words in it, and so on within these. One that cannot be read
// stands for itself, as for gcc; so do all after the first 2000, which is where gcc gives up.
[[nodiscard]] std::vector<std::string> with_response_files(std::span<const std::string> arguments);

}  // namespace anyorder::cli
