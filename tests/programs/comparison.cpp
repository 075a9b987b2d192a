#include "comparison.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <sstream>
#include <utility>

namespace anyorder::programs {
namespace {

using Json = nlohmann::json;

bool is_in(const Json& frame, const std::string& program) {
  const auto file = frame.find("file");
  if (file == frame.end()) return false;
  return std::filesystem::path(file->get<std::string>()).filename() ==
         std::filesystem::path(program).filename();
}

std::string line_of(const Json& frame) { return std::to_string(frame.at("line").get<unsigned>()); }

// The access itself if it is in the program; for what a library does, the frame that called it; null:
// neither.
const Json* frame_in(const Json& access, const std::string& program) {
  if (is_in(access, program)) return &access;
  const auto stack = access.find("stack");
  if (stack == access.end()) return nullptr;
  const auto caller =
      std::find_if(stack->begin(), stack->end(), [&](const Json& frame) { return is_in(frame, program); });
  return caller == stack->end() ? nullptr : &*caller;
}

std::string place_of(const Json& access, const std::string& program) {
  if (const Json* const frame = frame_in(access, program)) return line_of(*frame);
  if (access.contains("file")) return access.at("file").get<std::string>() + ":" + line_of(access);
  return "an unknown place";
}

End end_of(const Json& access, const std::string& program) {
  const auto kind = access.at("access").get<std::string>();
  return {place_of(access, program), kind == "write"};
}

std::string frames_of(const Json& access) {
  std::string text;
  const auto stack = access.find("stack");
  if (stack == access.end()) return text;
  for (const Json& frame : *stack) {
    text += "\n        " + frame.value("file", std::string("?")) + ":" +
            std::to_string(frame.value("line", 0U)) + " " + frame.value("function", std::string());
  }
  return text;
}

std::string where(const Json& race) {
  if (race.contains("symbol")) return " on " + race.at("symbol").get<std::string>();
  if (race.contains("local_of")) return " on a local: " + race.at("local_of").dump();
  if (race.contains("allocated_at")) return " on a heap block";
  return {};
}

bool any_entry_says(const Json& report, const std::string& sentence) {
  const auto entries = report.find("unsupported");
  return entries != report.end() && std::any_of(entries->begin(), entries->end(), [&](const Json& entry) {
           return entry.at("why").get<std::string>().find(sentence) != std::string::npos;
         });
}

// Without comments.
std::vector<std::string> code_lines(const std::string& source) {
  std::vector<std::string> lines;
  std::istringstream in(source);
  for (std::string line; std::getline(in, line);) lines.push_back(line.substr(0, line.find("//")));
  return lines;
}

bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "count" of "ns::count[3].x".
std::string first_name(const std::string& variable) {
  const auto end =
      std::find_if(variable.begin(), variable.end(), [](char c) { return !is_in_name(c) && c != ':'; });
  const std::string whole(variable.begin(), end);
  const auto scope = whole.rfind("::");
  return scope == std::string::npos ? whole : whole.substr(scope + 2);
}

// The places from and to which the statement goes that has the name; all of the code unless that is there
// once.
std::pair<std::size_t, std::size_t> statement_with(const std::string& code, const std::string& name) {
  std::size_t found = std::string::npos;
  for (std::size_t at = 0; !name.empty() && (at = code.find(name, at)) != std::string::npos;
       at += name.size()) {
    const bool is_whole = (at == 0 || !is_in_name(code[at - 1])) &&
                          (at + name.size() == code.size() || !is_in_name(code[at + name.size()]));
    if (!is_whole) continue;
    if (found != std::string::npos) return {0, code.size()};
    found = at;
  }
  if (found == std::string::npos) return {0, code.size()};
  const std::size_t before = code.find_last_of("{;", found);
  std::size_t end = found;
  for (int depth = 0; end < code.size() && (depth > 0 || (code[end] != ';' && code[end] != '}')); ++end) {
    if (code[end] == '(' || code[end] == '{') ++depth;
    if (code[end] == ')' || code[end] == '}') --depth;
  }
  return {before == std::string::npos ? 0 : before + 1, end};
}

void compare_pairs(const Marks& marks, const std::string& program, const Json& report, Pairs pairs,
                   std::vector<std::string>& out) {
  std::set<Pair> reported;
  for (const Json& race : report.at("races")) {
    const Pair pair = make_pair_of(end_of(race.at("first"), program), end_of(race.at("second"), program));
    const bool is_new = reported.insert(pair).second;
    if (!is_new || marks.required.count(pair) != 0 || marks.allowed.count(pair) != 0) continue;
    out.push_back("reported, not marked: " + to_string(pair) + where(race) + "\n      first:" +
                  frames_of(race.at("first")) + "\n      second:" + frames_of(race.at("second")));
  }
  if (pairs == Pairs::some) return;
  for (const Pair& pair : marks.required) {
    if (reported.count(pair) == 0) out.push_back("marked, not reported: " + to_string(pair));
  }
}

}  // namespace

int exit_code_of(const std::string& verdict) {
  if (verdict == "clean") return 0;
  return verdict == "unknown" ? 65 : 66;
}

std::vector<std::string> differences(const Marks& marks, const std::string& program, const Json& report,
                                     int exit_code, Pairs pairs) {
  std::vector<std::string> out;
  const auto verdict = report.at("verdict").get<std::string>();
  if (verdict != marks.verdict) {
    out.push_back("the verdict is " + verdict + ", not " + marks.verdict);
  }
  if (const int expected = exit_code_of(marks.verdict); exit_code != expected) {
    out.push_back("the exit code is " + std::to_string(exit_code) + ", not " + std::to_string(expected));
  }
  compare_pairs(marks, program, report, pairs, out);
  for (const std::string& sentence : marks.sentences) {
    if (!any_entry_says(report, sentence)) out.push_back("no unsupported entry says: " + sentence);
  }
  if (!out.empty() && report.contains("unsupported")) {
    for (const Json& entry : report.at("unsupported")) {
      out.push_back("(unsupported: " + entry.at("why").get<std::string>() + ")");
    }
  }
  return out;
}

std::vector<std::string> differences_if_refused(const Marks& marks, const std::string& program,
                                                const Json& report, int exit_code,
                                                const std::string& construct) {
  std::vector<std::string> out;
  const auto verdict = report.at("verdict").get<std::string>();
  if (verdict != "unknown" && (verdict != "race" || marks.verdict != "race")) {
    out.push_back("the verdict is " + verdict + " although it has a " + construct);
  }
  if (const int expected = exit_code_of(verdict); exit_code != expected) {
    out.push_back("the exit code is " + std::to_string(exit_code) + ", not " + std::to_string(expected));
  }
  compare_pairs(marks, program, report, Pairs::some, out);
  const Json& entries = report.at("unsupported");
  const bool named = std::any_of(entries.begin(), entries.end(), [&](const Json& entry) {
    return entry.at("construct").get<std::string>() == construct && is_in(entry, program) &&
           entry.value("line", 0U) != 0;
  });
  if (!named) out.push_back("no unsupported entry names a line with a " + construct);
  return out;
}

std::vector<std::string> misplaced(const Json& report, const std::string& program,
                                   const std::string& source) {
  std::vector<std::string> out;
  const std::vector<std::string> lines = code_lines(source);
  for (const Json& race : report.at("races")) {
    const std::string variable = first_name(race.value("variable", std::string()));
    for (const char* const end : {"first", "second"}) {
      const Json* const frame = frame_in(race.at(end), program);
      if (frame == nullptr) continue;  // that is a difference
      const std::size_t line = frame->at("line").get<std::size_t>();
      const std::string code = line <= lines.size() ? lines[line - 1] : std::string();
      const std::size_t column = frame->value("column", std::size_t{0});
      if (column == 0) {
        out.push_back("no column at line " + std::to_string(line));
      } else if (column > code.size() || code[column - 1] == ' ') {
        out.push_back("there is no code at line " + std::to_string(line) + ", column " +
                      std::to_string(column));
      } else if (const auto [begin, last] = statement_with(code, variable);
                 column - 1 < begin || column - 1 > last) {
        out.push_back("line " + std::to_string(line) + ", column " + std::to_string(column) +
                      " is not where " + variable + " is accessed");
      }
    }
  }
  return out;
}

std::vector<std::string> gaps(const Json& report) {
  std::vector<std::string> out;
  const Json& races = report.at("races");
  for (const Json& race : races) {
    const bool is_named_local = race.contains("local_of") && race.at("local_of").contains("variable");
    if (race.contains("variable") || race.contains("allocated_at") || is_named_local) continue;
    out.push_back("a race is on memory without a name: " + race.at("address").get<std::string>());
  }
  if (!races.empty() && report.at("remedies").empty())
    out.emplace_back("there is no advice against the race");
  return out;
}

}  // namespace anyorder::programs
