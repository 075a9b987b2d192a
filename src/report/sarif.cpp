// The report as SARIF 2.1.0, for code-scanning pages and editors: a result for each pair of source lines.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "findings/own_code.hpp"
#include "report/absolute_paths.hpp"
#include "report/creation_tree.hpp"
#include "report/fingerprint.hpp"
#include "report/page.hpp"
#include "report/paths.hpp"
#include "report/printable.hpp"
#include "report/race_text.hpp"
#include "report/remedy_text.hpp"
#include "report/report.hpp"
#include "report/source_files.hpp"

namespace anyorder::report {

namespace {

using Sarif = nlohmann::ordered_json;

// In the order of the driver's rules.
enum class Rule : std::uint8_t { race, deadlock, unknown_join, not_judged };
struct RuleText {
  std::string_view id;
  std::string_view description;
  std::string_view level;
};
constexpr RuleText kRules[] = {
    {"race", "Two tasks access the same memory, one of them writes, and nothing orders them.", "error"},
    {"deadlock", "Tasks wait for each other in a cycle.", "error"},
    {"unknown-join", "A task gets a future whose handle it cannot have by any order of joins.", "error"},
    {"not-judged", "Something that the program does could not be judged.", "warning"}};

Sarif message(const std::string& text) { return {{"text", printable(text)}}; }

// As RFC 3986 has it: what is no plain character of a path is written in hexadecimal.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += '%';
      uri += kDigits[byte >> 4U];
      uri += kDigits[byte & 15U];
    }
  }
  return path.starts_with('/') ? "file://" + uri : uri;
}

class SarifWriter {
 public:
  explicit SarifWriter(const Report& report)
      : report_(report),
        page_(nowhere_, style_, SourceFiles(std::nullopt)),
        paths_(report),
        here_(current_folder()) {}

  [[nodiscard]] Sarif run() {
    Sarif rules = Sarif::array();
    for (const RuleText& rule : kRules) {
      rules.push_back({{"id", rule.id},
                       {"shortDescription", message(std::string(rule.description))},
                       {"defaultConfiguration", {{"level", rule.level}}}});
    }
    Sarif results = Sarif::array();
    add_races(results);
    add_others(results);
    Sarif invocation = {{"executionSuccessful", report_.verdict != findings::Verdict::unknown}};
    if (!report_.run.typed.empty()) invocation["commandLine"] = printable(report_.run.typed);
    if (report_.run.signal == 0) {
      invocation["exitCode"] = report_.run.exit_code;
    } else {
      invocation["exitSignalNumber"] = report_.run.signal;
    }
    Sarif run = {{"tool", {{"driver", {{"name", "anyorder"}, {"rules", std::move(rules)}}}}},
                 {"invocations", Sarif::array({std::move(invocation)})},
                 {"columnKind", "unicodeCodePoints"},
                 {"results", std::move(results)}};
    if (!here_.empty()) run["originalUriBaseIds"] = {{"PWD", {{"uri", uri_of(here_)}}}};
    return run;
  }

 private:
  // In characters, where debug information counts bytes; from 1.
  [[nodiscard]] std::size_t column_of(const findings::SourceLine& source) {
    const std::string* const line = files_.line(source.file, source.line);
    if (line == nullptr || line->size() < source.column) return source.column;
    return width_of(printable(std::string_view(*line).substr(0, source.column - 1))) + 1;
  }

  [[nodiscard]] Sarif location(const findings::Frame& frame, const std::string& text) {
    Sarif location = Sarif::object();
    if (frame.source.known()) {
      // A name that nothing tells the folder of is, like those that compilers are called with, relative to
      // this one.
      const std::string known = paths_.of(frame.source.file);
      const std::string& file = known.empty() ? frame.source.file : known;
      const std::string_view path = relative_to(here_, file);
      Sarif artifact = {{"uri", uri_of(path)}};
      if (!path.starts_with('/') && !here_.empty()) artifact["uriBaseId"] = "PWD";
      Sarif region = {{"startLine", frame.source.line}};
      if (frame.source.column != 0) region["startColumn"] = column_of(frame.source);
      location["physicalLocation"] = {{"artifactLocation", std::move(artifact)},
                                      {"region", std::move(region)}};
    }
    if (!frame.source.function.empty()) {
      location["logicalLocations"] =
          Sarif::array({{{"fullyQualifiedName", printable(frame.source.function)}, {"kind", "function"}}});
    }
    if (!text.empty()) location["message"] = message(text);
    return location;
  }

  [[nodiscard]] static Sarif result(Rule rule, const std::string& text) {
    const auto index = static_cast<std::size_t>(rule);
    return {{"ruleId", kRules[index].id},
            {"ruleIndex", index},
            {"level", kRules[index].level},
            {"message", message(text)}};
  }

  void add_races(Sarif& results) {
    const std::vector<Fingerprint> fingerprints = fingerprints_of(report_);
    for (std::size_t i = 0; i < report_.findings.races.size(); ++i) {
      const findings::RaceGroup& group = report_.findings.races[i];
      const findings::Race& race = representative(group);
      Sarif found =
          result(Rule::race, std::string(findings::to_string(race.kind())) + " race on " +
                                 object_of(page_, report_, race) + ". " + why_in_parallel(page_, race));
      found["locations"] = Sarif::array({location(race.second.site(), access(race.second))});
      Sarif related = Sarif::array({location(race.first.site(), access(race.first))});
      for (const findings::Access* side : {&race.first, &race.second}) {
        if (!side->created_at.empty()) {
          related.push_back(location(side->created_at.innermost(), Page::task(side->task) + " is created"));
        }
      }
      for (std::size_t id = 0; id < related.size(); ++id) related[id]["id"] = id;
      found["relatedLocations"] = std::move(related);
      found["stacks"] = Sarif::array({stack(race.first), stack(race.second)});
      found["partialFingerprints"] = {{"anyorderRace/v1", fingerprints[i].value}};
      found["occurrenceCount"] = count_locations(group);
      results.push_back(std::move(found));
    }
  }

  [[nodiscard]] Sarif stack(const findings::Access& of) {
    Sarif frames = Sarif::array();
    for (const findings::Frame& frame : of.stack) {
      const std::string skipped = frame.skipped.calls == 0 ? "" : skipped_in_words(frame.skipped);
      frames.push_back({{"location", location(frame, skipped)}});
    }
    return {{"message", message(access(of))}, {"frames", std::move(frames)}};
  }

  [[nodiscard]] static std::string access(const findings::Access& access) {
    return std::string(findings::to_string(access.kind)) + " by " + Page::task(access.task);
  }

  void add_others(Sarif& results) {
    for (const findings::Deadlock& deadlock : report_.findings.deadlocks) {
      Sarif found = result(Rule::deadlock,
                           std::to_string(deadlock.cycle.size()) + " tasks wait for each other, in a cycle.");
      Sarif related = Sarif::array();
      for (const findings::Wait& wait : deadlock.cycle) {
        related.push_back(
            location(findings::frame_in_own_code(wait.waits_at), Page::task(wait.task) + " waits"));
        related.back()["id"] = related.size() - 1;
      }
      found["locations"] = Sarif::array({related.front()});
      found["relatedLocations"] = std::move(related);
      results.push_back(std::move(found));
    }
    for (const findings::UnknownJoin& join : report_.findings.unknown_joins) {
      Sarif found = result(Rule::unknown_join, "A get of a future that its task does not know.");
      found["locations"] = Sarif::array({location(findings::frame_in_own_code(join.got_at), "")});
      results.push_back(std::move(found));
    }
    for (const findings::Unsupported& unsupported : report_.findings.unsupported) {
      Sarif found = result(Rule::not_judged, unsupported.construct + ": " + unsupported.why);
      const findings::Frame& where = findings::frame_in_own_code(unsupported.where);
      if (where.source.known()) found["locations"] = Sarif::array({location(where, "")});
      results.push_back(std::move(found));
    }
  }

  const Report& report_;
  std::ostringstream nowhere_;
  TextStyle style_;
  Page page_;
  SourceFiles files_{std::nullopt};
  AbsolutePaths paths_;
  std::string here_;
};

}  // namespace

void write_sarif(std::ostream& out, const Report& report) {
  const Sarif log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                     {"version", "2.1.0"},
                     {"runs", Sarif::array({SarifWriter(report).run()})}};
  out << log.dump(1, ' ', false, Sarif::error_handler_t::replace) << '\n';
}

}  // namespace anyorder::report
