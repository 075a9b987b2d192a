#include "report/call_end.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "report/words.hpp"

namespace anyorder::report {

namespace {

// Goes through the tokens of a file as far as brackets are concerned: comments, literals and directives have
// none.
class Brackets {
 public:
  Brackets(std::span<const std::string> lines, std::uint32_t begin,
           std::span<const std::string_view> functions)
      : lines_(lines), begin_(begin), functions_(functions) {}

  [[nodiscard]] std::uint32_t end() {
    for (at_ = 0; at_ < lines_.size() && !(at_ >= begin_ && candidates_ == 0); ++at_) {
      if (!read_line()) return 0;
    }
    return candidates_ == 0 ? end_.value_or(0) : 0;
  }

 private:
  struct Open {
    char bracket;
    bool is_candidate;
  };

  [[nodiscard]] std::string_view line() const { return lines_[at_]; }

  // False: the end cannot be told.
  [[nodiscard]] bool read_line() {
    std::size_t i = 0;
    const std::size_t first = line().find_first_not_of(" \t");
    if (!in_comment_ && first != std::string_view::npos && line()[first] == '#') return skip_directive(first);
    word_ = {};
    while (i < line().size()) {
      if (in_comment_) {
        const std::size_t close = line().find("*/", i);
        if (close == std::string_view::npos) return true;
        in_comment_ = false;
        i = close + 2;
      } else if (!read_token(i)) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool skip_directive(std::size_t first) {
    const std::size_t name = line().find_first_not_of(" \t", first + 1);
    const std::string_view directive = name == std::string_view::npos ? "" : line().substr(name);
    // Brackets of all branches are seen here, though only one is compiled.
    if (candidates_ != 0 && directive.starts_with("el")) return false;
    while (line().ends_with('\\') && at_ + 1 < lines_.size()) ++at_;
    return true;
  }

  [[nodiscard]] bool read_token(std::size_t& i) {
    const char c = line()[i];
    if (line().substr(i).starts_with("//")) {
      i = line().size();
    } else if (line().substr(i).starts_with("/*")) {
      in_comment_ = true;
      i += 2;
    } else if (is_in_word(c)) {
      const std::size_t word = i;
      // A quote between digits is part of the number.
      while (i < line().size() && (is_in_word(line()[i]) || (line()[i] == '\'' && is_digit(c)))) ++i;
      word_ = line().substr(word, i - word);
    } else if (c == '"' && word_.ends_with('R') && line()[i - 1] == 'R') {
      return skip_raw_string(i);
    } else if (c == '"' || c == '\'') {
      skip_literal(i, c);
    } else {
      ++i;
      if (c != ' ' && c != '\t') return read_sign(c);
    }
    return true;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  [[nodiscard]] bool read_sign(char c) {
    const std::string_view word = std::exchange(word_, {});
    if (c == '(' || c == '[' || c == '{') {
      const bool is_candidate = c == '(' && at_ + 1 == begin_ &&
                                std::find(functions_.begin(), functions_.end(), word) != functions_.end();
      open_.push_back({c, is_candidate});
      if (is_candidate) ++candidates_;
    } else if (c == ')' || c == ']' || c == '}') {
      return close(c == ')' ? '(' : c == ']' ? '[' : '{');
    }
    return true;
  }

  [[nodiscard]] bool close(char bracket) {
    // What is open before the call is not looked at: there, other branches may have been compiled.
    if (open_.empty()) return true;
    const Open closed = open_.back();
    if (closed.bracket != bracket) {
      if (candidates_ != 0) return false;
      open_.clear();
      return true;
    }
    open_.pop_back();
    if (!closed.is_candidate) return true;
    --candidates_;
    const auto end = static_cast<std::uint32_t>(at_ + 1);
    if (end_.value_or(end) != end) return false;
    end_ = end;
    return true;
  }

  void skip_literal(std::size_t& i, char quote) {
    for (++i; i < line().size() && line()[i] != quote; ++i) {
      if (line()[i] == '\\') ++i;
    }
    i = std::min(i + 1, line().size());
    word_ = {};
  }

  [[nodiscard]] bool skip_raw_string(std::size_t& i) {
    const std::size_t open = line().find('(', i);
    if (open == std::string_view::npos) return false;
    std::string close(1, ')');
    close += line().substr(i + 1, open - i - 1);
    close += '"';
    std::size_t end = line().find(close, open);
    while (end == std::string_view::npos) {
      if (++at_ == lines_.size()) return false;
      end = line().find(close);
    }
    i = end + close.size();
    word_ = {};
    return true;
  }

  std::span<const std::string> lines_;
  std::uint32_t begin_;
  std::span<const std::string_view> functions_;
  std::size_t at_ = 0;  // the line, from 0
  bool in_comment_ = false;
  std::string_view word_;  // the last token, if it was a name or a number
  std::vector<Open> open_;
  std::size_t candidates_ = 0;  // among them
  std::optional<std::uint32_t> end_;
};

}  // namespace

std::uint32_t end_of_call(std::span<const std::string> lines, std::uint32_t begin,
                          std::span<const std::string_view> functions) {
  return begin == 0 || begin > lines.size() ? 0 : Brackets(lines, begin, functions).end();
}

}  // namespace anyorder::report
