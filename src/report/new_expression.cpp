#include "report/new_expression.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

#include "report/words.hpp"

namespace anyorder::report {

namespace {

constexpr std::array<std::string_view, 14> kBuiltinWords{
    "unsigned", "signed", "long",    "short",   "int",      "char",     "bool",
    "float",    "double", "wchar_t", "char8_t", "char16_t", "char32_t", "__int128"};
constexpr std::array<std::string_view, 6> kBeforeNames{"const", "volatile", "struct",
                                                       "class", "union",    "typename"};
constexpr std::array<std::string_view, 4> kNoTypes{"auto", "decltype", "operator", "alignas"};

template <std::size_t kCount>
bool is_one_of(const std::array<std::string_view, kCount>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class Parser {
 public:
  Parser(std::string_view line, std::size_t at) : line_(line), at_(at) {}

  // Behind the word `new`.
  [[nodiscard]] bool read(NewExpression& expression) {
    skip_spaces();
    if (next() == '(' && !skip_group()) return false;  // the placement
    skip_spaces();
    type_begin_ = at_;
    if (!read_name(expression.name)) return false;
    end_ = at_;
    for (skip_spaces(); next() == '*'; skip_spaces()) {
      expression.pointers += '*';
      end_ = ++at_;
    }
    if (next() == '[') {
      expression.is_array = true;
      if (!read_group()) return true;
      if (next() == '[') return false;
    }
    if (next() == '(' || next() == '{') static_cast<void>(read_group());
    return true;
  }

  [[nodiscard]] std::size_t type_begin() const { return type_begin_; }
  // One behind the last character; 0: not on this line.
  [[nodiscard]] std::size_t end() const { return end_; }

 private:
  [[nodiscard]] char next() const { return at_ < line_.size() ? line_[at_] : '\0'; }
  void skip_spaces() {
    while (next() == ' ' || next() == '\t') ++at_;
  }
  [[nodiscard]] std::string_view read_word() {
    const std::size_t begin = at_;
    while (is_in_word(next())) ++at_;
    return line_.substr(begin, at_ - begin);
  }

  // From one bracket to the one that closes it. False: that is not on this line.
  [[nodiscard]] bool skip_group() {
    int depth = 0;
    for (; at_ < line_.size(); ++at_) {
      const char c = line_[at_];
      if (c == '"' || c == '\'') {
        for (++at_; at_ < line_.size() && line_[at_] != c; ++at_) {
          if (line_[at_] == '\\') ++at_;
        }
      }
      if (c == '(' || c == '[' || c == '{') ++depth;
      if ((c == ')' || c == ']' || c == '}') && --depth == 0) {
        ++at_;
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool read_group() {
    const bool is_closed = skip_group();
    end_ = is_closed ? at_ : 0;
    skip_spaces();
    return is_closed;
  }

  [[nodiscard]] bool read_name(std::string& name) {
    for (;;) {
      const std::size_t begin = at_;
      const std::string_view word = read_word();
      if (is_one_of(kNoTypes, word)) return false;
      if (is_one_of(kBeforeNames, word)) {
        skip_spaces();
        continue;
      }
      if (!is_one_of(kBuiltinWords, word)) {
        at_ = begin;
        return read_qualified(name);
      }
      name += word;
      // A builtin type has several words; what is behind the last is part of no name.
      const std::size_t behind = at_;
      skip_spaces();
      const std::size_t another = at_;
      if (!is_one_of(kBuiltinWords, read_word())) {
        at_ = behind;
        return true;
      }
      at_ = another;
      name += ' ';
    }
  }
  [[nodiscard]] bool read_qualified(std::string& name) {
    if (line_.substr(at_).starts_with("::")) at_ += 2;
    for (;;) {
      const std::string_view word = read_word();
      if (word.empty()) return false;
      name += word;
      if (next() == '<' && !read_arguments(name)) return false;
      if (!line_.substr(at_).starts_with("::")) return true;
      name += "::";
      at_ += 2;
    }
  }
  [[nodiscard]] bool read_arguments(std::string& name) {
    int depth = 0;
    for (; at_ < line_.size(); ++at_) {
      const char c = line_[at_];
      if (c == '(' || c == '"' || c == '\'') return false;
      if (c == '<') ++depth;
      if (c == '>') --depth;
      if (c != ' ' && c != '\t') name += c;
      if (depth == 0) {
        ++at_;
        return true;
      }
    }
    return false;
  }

  std::string_view line_;
  std::size_t at_;
  std::size_t type_begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace

std::optional<NewExpression> new_expression_at(std::string_view line, std::uint32_t column) {
  constexpr std::string_view kNew = "new";
  if (column == 0) return std::nullopt;
  for (std::size_t at = line.find(kNew); at != std::string_view::npos; at = line.find(kNew, at + 1)) {
    const std::size_t behind = at + kNew.size();
    if ((at != 0 && is_in_word(line[at - 1])) || (behind < line.size() && is_in_word(line[behind]))) continue;
    NewExpression expression;
    Parser parser(line, behind);
    if (!parser.read(expression)) continue;
    const bool begins_there = at + 1 == column || parser.type_begin() + 1 == column;
    if (begins_there || parser.end() == column) return expression;
  }
  return std::nullopt;
}

Declarations declarations_of(std::span<const std::string> lines, std::string_view name) {
  name = name.substr(0, name.find('<'));
  if (const std::size_t separator = name.rfind("::"); separator != std::string_view::npos) {
    name.remove_prefix(separator + 2);
  }
  Declarations found;
  for (const std::string_view line : lines) {
    std::string_view before;  // the word in front of the name
    for (std::size_t at = 0; at < line.size();) {
      if (!is_in_word(line[at])) {
        ++at;
        continue;
      }
      const std::size_t begin = at;
      while (at < line.size() && is_in_word(line[at])) ++at;
      const std::string_view word = line.substr(begin, at - begin);
      if (word == name) {
        const std::size_t behind = line.find_first_not_of(" \t", at);
        const char next = behind == std::string_view::npos ? '{' : line[behind];
        const bool is_final = behind != std::string_view::npos && line.substr(behind).starts_with("final");
        if (before == "using" && next == '=') ++found.aliases;
        if (next == ';' && line.find("typedef") < begin) ++found.aliases;
        if ((before == "struct" || before == "class" || before == "union" || before == "enum") &&
            (next == '{' || next == ':' || is_final)) {
          ++found.types;
        }
      }
      before = word;
    }
  }
  return found;
}

std::uint64_t size_of_builtin(std::string_view name) {
  if (name.starts_with("std::") && name.ends_with("_t")) name.remove_prefix(5);
  static constexpr std::pair<std::string_view, std::uint64_t> kSizes[] = {
      {"size_t", sizeof(std::size_t)},
      {"ptrdiff_t", sizeof(std::ptrdiff_t)},
      {"int8_t", 1},
      {"uint8_t", 1},
      {"int16_t", 2},
      {"uint16_t", 2},
      {"int32_t", 4},
      {"uint32_t", 4},
      {"int64_t", 8},
      {"uint64_t", 8},
      {"bool", sizeof(bool)},
      {"char", 1},
      {"signed char", 1},
      {"unsigned char", 1},
      {"char8_t", 1},
      {"char16_t", 2},
      {"char32_t", 4},
      {"wchar_t", sizeof(wchar_t)},
      {"short", sizeof(short)},
      {"unsigned short", sizeof(short)},
      {"int", sizeof(int)},
      {"unsigned", sizeof(int)},
      {"unsigned int", sizeof(int)},
      {"long", sizeof(long)},
      {"unsigned long", sizeof(long)},
      {"long long", sizeof(long long)},
      {"unsigned long long", sizeof(long long)},
      {"float", sizeof(float)},
      {"double", sizeof(double)},
      {"long double", sizeof(long double)}};
  const auto* const found = std::find_if(std::begin(kSizes), std::end(kSizes),
                                         [&](const auto& builtin) { return builtin.first == name; });
  return found == std::end(kSizes) ? 0 : found->second;
}

}  // namespace anyorder::report
