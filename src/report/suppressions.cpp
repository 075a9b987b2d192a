#include "report/suppressions.hpp"

#include <algorithm>
#include <array>
#include <fnmatch.h>
#include <stdexcept>
#include <utility>

#include "report/named_object.hpp"
#include "report/report.hpp"

namespace anyorder::report {

namespace {

bool fits(const std::string& pattern, const std::string& text) {
  // An index is no set of characters.
  std::string plain;
  for (const char c : pattern) plain += c == '[' ? std::string("[[]") : std::string(1, c);
  return ::fnmatch(plain.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

// "app.cpp:12" fits /home/me/app.cpp, line 12.
bool fits_place(const std::string& pattern, const findings::Frame& frame) {
  if (!frame.source.known()) return false;
  const std::string place = frame.source.file + ':' + std::to_string(frame.source.line);
  return fits(pattern, place) || fits("*/" + pattern, place);
}

// With its parameters, or without.
bool fits_function(const std::string& pattern, const std::string& function) {
  return fits(pattern, function) || fits(pattern, function.substr(0, function.find('(')));
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// A '#' begins a comment at the beginning of a line, or behind a blank.
std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  }
  return line;
}

}  // namespace

Suppressions Suppressions::parse(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, Kind>, 4> kKinds{{{"line", Kind::line},
                                                                     {"function", Kind::function},
                                                                     {"variable", Kind::variable},
                                                                     {"task", Kind::task}}};
  Suppressions all;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::string_view entry = without_blanks(without_comment(line));
    if (entry.empty()) continue;
    const std::string_view word = entry.substr(0, entry.find_first_of(" \t"));
    const std::string_view pattern = without_blanks(entry.substr(word.size()));
    const auto kind =
        std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& known) { return known.first == word; });
    const auto fail = [&](std::string_view subject, std::string_view why) {
      std::string sentence = "line " + std::to_string(number) + ": ";
      sentence.append(1, '\'').append(subject).append("\' ").append(why);
      throw std::runtime_error(sentence);
    };
    if (kind == kKinds.end()) fail(word, "is none of line, function, variable and task");
    if (pattern.empty()) fail(word, "has nothing behind it");
    const bool is_place = kind->second == Kind::line || kind->second == Kind::task;
    if (is_place && pattern.find(':') == std::string_view::npos) {
      fail(pattern, "has no line: append one, as in app.cpp:12, or :* for all");
    }
    all.entries_.push_back({kind->second, std::string(pattern), number, std::string(entry)});
  }
  return all;
}

bool Suppressions::matches(const Entry& entry, const Report& report, const findings::Race& race) {
  if (entry.kind == Kind::variable) {
    const std::string variable = named_object(report, race).variable;
    return !variable.empty() && fits(entry.pattern, variable);
  }
  const auto by_access = [&](const findings::Access& access) {
    switch (entry.kind) {
      case Kind::line:
        return fits_place(entry.pattern, access.site());
      case Kind::function:
        return std::any_of(access.stack.begin(), access.stack.end(), [&](const findings::Frame& frame) {
          return fits_function(entry.pattern, frame.source.function);
        });
      case Kind::task:
        return std::any_of(access.created_at.begin(), access.created_at.end(),
                           [&](const findings::Frame& frame) { return fits_place(entry.pattern, frame); });
      case Kind::variable:
        break;
    }
    return false;
  };
  return by_access(race.first) || by_access(race.second);
}

void Suppressions::apply(Report& report, const std::string& name) const {
  SuppressionResult result;
  result.name = name;
  std::vector<std::size_t> used(entries_.size());
  for (findings::RaceGroup& group : report.findings.races) {
    const std::size_t before = group.races.size();
    std::erase_if(group.races, [&](const findings::Race& race) {
      bool is_listed = false;
      for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (!matches(entries_[i], report, race)) continue;
        ++used[i];
        is_listed = true;
      }
      return is_listed;
    });
    if (group.races.size() != before) ++result.pairs;
  }
  std::erase_if(report.findings.races, [](const findings::RaceGroup& group) { return group.races.empty(); });
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (used[i] == 0) {
      result.unused.push_back("line " + std::to_string(entries_[i].number) + ": " + entries_[i].text);
    }
  }
  report.verdict = report.findings.verdict();
  report.suppressions = std::move(result);
}

}  // namespace anyorder::report
