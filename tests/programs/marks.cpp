#include "marks.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

namespace anyorder::programs {
namespace {

enum class Kind { read, write, update };

struct MarkedEnd {
  unsigned line;
  Kind kind;
};

Kind kind_of(const std::string& word) {
  if (word == "read") return Kind::read;
  return word == "write" ? Kind::write : Kind::update;
}

// Each way in which the line may take part; the one that has to be reported first.
std::vector<bool> writes_of(Kind kind) {
  switch (kind) {
    case Kind::read:
      return {false};
    case Kind::write:
      return {true};
    case Kind::update:
      return {true, false};
  }
  return {};
}

std::string verdict_of_name(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  const std::string verdict = std::filesystem::path(stem).extension().string();
  if (verdict != ".race" && verdict != ".clean" && verdict != ".unknown") {
    throw BadMarks(path + ": the name has to end in .race.cpp, .clean.cpp or .unknown.cpp");
  }
  return verdict.substr(1);
}

class Parser {
 public:
  explicit Parser(const std::string& path) : path_(path) {}

  void line(unsigned number, const std::string& text) {
    static const std::regex kRace(
        R"(\bRACE\(([a-z0-9_]+)\): (read|write|update)\b(?: (read|write|update)\b)?)");
    static const std::regex kUnknown(R"(// UNKNOWN: (.*\S)\s*$)");
    const auto comment = text.find("//");
    std::size_t found = 0;
    for (std::sregex_iterator mark(text.begin(), text.end(), kRace), end; mark != end; ++mark) {
      if (comment == std::string::npos || static_cast<std::size_t>(mark->position()) < comment) {
        fail(number, "a mark outside a comment");
      }
      ++found;
      auto& ends = ends_[(*mark)[1]];
      ends.push_back({number, kind_of((*mark)[2])});
      if ((*mark)[3].matched) ends.push_back({number, kind_of((*mark)[3])});
    }
    if (found != occurrences(text, "RACE")) {
      fail(number, "expected RACE(<name>): read|write|update [read|write|update]");
    }
    std::smatch unknown;
    if (std::regex_search(text, unknown, kUnknown)) {
      marks_.sentences.push_back(unknown[1]);
    } else if (occurrences(text, "UNKNOWN") != 0) {
      fail(number, "expected // UNKNOWN: <part of a sentence>");
    }
  }

  Marks finish() {
    marks_.verdict = verdict_of_name(path_);
    for (const auto& [name, ends] : ends_) add_pairs(name, ends);
    for (const Pair& pair : marks_.required) marks_.allowed.erase(pair);
    if ((marks_.verdict == "race") == marks_.required.empty()) {
      throw BadMarks(path_ +
                     ": RACE marks belong into programs with the verdict race, and into each of them");
    }
    if (marks_.verdict == "unknown" && marks_.sentences.empty()) {
      throw BadMarks(path_ + ": an unknown program needs an UNKNOWN mark");
    }
    if (marks_.verdict == "clean" && !marks_.sentences.empty()) {
      throw BadMarks(path_ + ": a clean program has no UNKNOWN mark");
    }
    return std::move(marks_);
  }

 private:
  [[noreturn]] void fail(unsigned number, const std::string& what) const {
    throw BadMarks(path_ + ":" + std::to_string(number) + ": " + what);
  }

  static std::size_t occurrences(const std::string& text, const std::string& word) {
    const std::regex whole("\\b" + word + "\\b");
    return static_cast<std::size_t>(
        std::distance(std::sregex_iterator(text.begin(), text.end(), whole), std::sregex_iterator()));
  }

  void add_pairs(const std::string& name, const std::vector<MarkedEnd>& ends) {
    if (ends.size() != 2) {
      throw BadMarks(path_ + ": RACE(" + name + ") has " + std::to_string(ends.size()) + " ends, not two");
    }
    bool first = true;
    for (const bool a : writes_of(ends[0].kind)) {
      for (const bool b : writes_of(ends[1].kind)) {
        if (a || b) {
          auto& pairs = first ? marks_.required : marks_.allowed;
          pairs.insert(make_pair_of({std::to_string(ends[0].line), a}, {std::to_string(ends[1].line), b}));
        } else if (first) {
          throw BadMarks(path_ + ": RACE(" + name + ") are two reads");
        }
        first = false;
      }
    }
  }

  std::string path_;
  std::map<std::string, std::vector<MarkedEnd>> ends_;
  Marks marks_;
};

}  // namespace

Pair make_pair_of(End a, End b) {
  if (b < a) std::swap(a, b);
  return {std::move(a), std::move(b)};
}

std::string to_string(const Pair& pair) {
  const auto side = [](const End& end) {
    const bool in_program =
        std::all_of(end.place.begin(), end.place.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    return std::string(end.writes ? "write" : "read") + " at " + (in_program ? "line " : "") + end.place;
  };
  return side(pair.first) + ", " + side(pair.second);
}

Marks parse_marks(const std::string& path, const std::string& source) {
  Parser parser(path);
  std::istringstream lines(source);
  std::string text;
  for (unsigned number = 1; std::getline(lines, text); ++number) parser.line(number, text);
  return parser.finish();
}

}  // namespace anyorder::programs
