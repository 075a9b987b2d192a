#include "cli/words.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace anyorder::cli {
namespace {

constexpr int kMostResponseFiles = 2000;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::optional<std::string> content_of(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::optional<std::string> word;  // the one that has begun
  char quote = 0;                   // the quote that is open
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && is_space(c)) {
      if (word) words.push_back(std::move(*word));
      word.reset();
      continue;
    }
    if (!word) word.emplace();
    if (c == '\\') {
      if (++i < text.size()) word->push_back(text[i]);
    } else if (quote != 0 ? c == quote : c == '\'' || c == '"') {
      quote = quote != 0 ? char{0} : c;
    } else {
      word->push_back(c);
    }
  }
  if (word) words.push_back(std::move(*word));
  return words;
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const auto& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::string quoted_for_shell(std::span<const std::string> words) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./,:@%^";
  std::string line;
  for (const auto& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) {
      if (c == '\'') {
        line += "'\\''";
      } else {
        line += c;
      }
    }
    line += '\'';
  }
  return line;
}

std::vector<std::string> with_response_files(std::span<const std::string> arguments) {
  std::vector<std::string> expanded;
  // What is still to be read, the next word last.
  std::vector<std::string> pending(arguments.rbegin(), arguments.rend());
  int files = 0;
  while (!pending.empty()) {
    const std::string word = pending.back();
    pending.pop_back();
    if (word.starts_with('@') && word.size() > 1 && files < kMostResponseFiles) {
      if (const auto content = content_of(word.substr(1))) {
        ++files;
        const auto inner = split_words(*content);
        pending.insert(pending.end(), inner.rbegin(), inner.rend());
        continue;
      }
    }
    expanded.push_back(word);
  }
  return expanded;
}

}  // namespace anyorder::cli
