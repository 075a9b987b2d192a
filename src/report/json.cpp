// The JSON of a report. Its keys are a contract with users' programs: add some, never rename one.
//
// Races are written one by one: their number has no bound, and a tree of all of them would be many times
// larger than the text.
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "findings/own_code.hpp"
#include "report/fingerprint.hpp"
#include "report/hexadecimal.hpp"
#include "report/named_object.hpp"
#include "report/report.hpp"
#include "report/signals.hpp"
#include "report/statistic.hpp"

namespace anyorder::report {

namespace {

using Json = nlohmann::ordered_json;

std::string text(const Json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void add_frame(Json& json, const findings::Frame& frame) {
  const findings::SourceLine& source = frame.source;
  if (source.known()) {
    json["file"] = source.file;
    json["line"] = source.line;
    if (source.column != 0) json["column"] = source.column;
  } else if (frame.pc != 0) {
    json["pc"] = hexadecimal(frame.pc);
    if (!frame.module.empty()) json["module"] = frame.module;
  }
  if (!source.function.empty()) json["function"] = source.function;
}
void add_skipped(Json& json, const findings::Skipped& skipped) {
  if (skipped.calls == 0) return;
  json["skipped"] = skipped.calls;
  if (skipped.period != 0) json["repeats"] = skipped.period;
}

Json frames(const findings::Trace& trace) {
  Json list = Json::array();
  for (const findings::Frame& frame : trace) {
    Json& json = list.emplace_back(Json::object());
    add_frame(json, frame);
    add_skipped(json, frame.skipped);
  }
  return list;
}

// An object as text, from its members' texts.
class ObjectText {
 public:
  void add(std::string_view key, const Json& value) { add_text(key, text(value)); }
  // All that the other object has.
  void add_all(const Json& object) {
    for (const auto& [key, value] : object.items()) add(key, value);
  }
  void add_text(std::string_view key, std::string_view value) {
    text_ += text_.empty() ? "{\"" : ",\"";
    text_.append(key).append("\":").append(value);
  }
  [[nodiscard]] std::string end() && { return std::move(text_) + '}'; }

 private:
  std::string text_;
};

// Many races have the same stacks and creations, which are most of their text: it is made once.
class RaceTexts {
 public:
  explicit RaceTexts(const Report& report) : report_(report) {}

  [[nodiscard]] std::string of(const findings::Race& race) {
    ObjectText json;
    json.add("kind", findings::to_string(race.kind()));
    const NamedObject object_name = named_object(report_, race);
    if (!object_name.variable.empty()) json.add("variable", object_name.name());
    if (object_name.part) {
      json.add("type", object_name.part->type);
      json.add("object_type", object_name.type);
      json.add("part", object_name.part->path);
    }
    const auto& object = race.memory.object;
    if (const auto* global = std::get_if<findings::GlobalMemory>(&object)) json.add("symbol", global->symbol);
    if (const auto* heap = std::get_if<findings::HeapMemory>(&object)) {
      json.add_text("allocated_at", frames_of(heap->allocated_at));
      if (heap->bytes != 0) json.add("block_size", heap->bytes);
    }
    if (const auto* local = std::get_if<findings::LocalMemory>(&object)) {
      Json owner = {{"function", local->function}};
      if (!local->variable.empty()) owner["variable"] = local->variable;
      json.add("local_of", owner);
    }
    if (race.memory.base != 0) json.add("offset", race.offset());
    json.add("size", race.size);
    json.add("address", hexadecimal(race.address));
    if (race.first.parting) json.add("parted_in", race.first.parting->task);
    json.add_text("first", access(race.first));
    json.add_text("second", access(race.second));
    return std::move(json).end();
  }

 private:
  [[nodiscard]] const std::string& frames_of(const findings::Trace& trace) {
    const auto [entry, is_new] = frames_.try_emplace(trace);
    if (is_new) entry->second = text(frames(trace));
    return entry->second;
  }

  [[nodiscard]] std::string access(const findings::Access& access) {
    Json site = Json::object();
    add_frame(site, access.site());
    ObjectText json;
    json.add("access", findings::to_string(access.kind));
    json.add_all(site);
    if (!access.expression().empty()) json.add("expression", access.expression());
    json.add("task", access.task);
    if (access.parting) json.add("creations_apart", access.parting->generations);
    json.add_text("stack", frames_of(access.stack));
    json.add_text("created_at", frames_of(access.created_at));
    return std::move(json).end();
  }

  const Report& report_;
  std::map<findings::Trace, std::string> frames_;
};

// `end_line`: of a call; 0: not known.
Json place_of(const findings::Frame& frame, std::uint32_t end_line = 0) {
  Json json = Json::object();
  add_frame(json, frame);
  if (end_line != 0) json["end_line"] = end_line;
  return json;
}

Json remedy(const findings::Remedy& remedy) {
  Json json = {{"kind", findings::to_string(remedy.kind)},
               {"first", place_of(findings::frame_in_own_code(remedy.first))},
               {"second", place_of(findings::frame_in_own_code(remedy.second))}};
  if (remedy.kind != findings::RemedyKind::isolated) {
    json["created_at"] = place_of(remedy.created, remedy.created_end);
  }
  if (remedy.kind == findings::RemedyKind::get || remedy.kind == findings::RemedyKind::finish ||
      remedy.kind == findings::RemedyKind::await) {
    json["before"] = place_of(remedy.before);
  }
  if (remedy.inside.source.known()) json["inside"] = place_of(remedy.inside);
  if (remedy.later_at.source.known()) {
    json["joined_later_by"] = remedy.later == findings::LaterJoin::get ? "get" : "finish";
    json["joined_later_at"] = place_of(remedy.later_at, remedy.later_end);
  }
  if (remedy.kind != findings::RemedyKind::isolated) json["pairs"] = remedy.pairs;
  return json;
}

Json deadlock(const findings::Deadlock& deadlock) {
  Json tasks = Json::array();
  Json cycle = Json::array();
  for (const findings::Wait& wait : deadlock.cycle) {
    tasks.push_back(wait.task);
    cycle.push_back({{"task", wait.task},
                     {"wait", findings::to_string(wait.kind)},
                     {"waits_at", frames(wait.waits_at)},
                     {"created_at", frames(wait.created_at)}});
    if (wait.ends_at != 0) cycle.back()["end_line"] = wait.ends_at;
  }
  return {{"tasks", std::move(tasks)}, {"cycle", std::move(cycle)}};
}

Json unknown_join(const findings::UnknownJoin& join) {
  Json json = Json::object();
  add_frame(json, findings::frame_in_own_code(join.got_at));
  json["task"] = join.task;
  json["created_at"] = frames(join.created_at);
  json["future"] = {{"task", join.future}, {"created_at", frames(join.future_created_at)}};
  json["count"] = join.count;
  return json;
}

Json unsupported(const findings::Unsupported& unsupported) {
  Json json = {{"construct", unsupported.construct}, {"why", unsupported.why}, {"count", unsupported.count}};
  if (!unsupported.where.empty()) add_frame(json, findings::frame_in_own_code(unsupported.where));
  return json;
}

Json statistics(const Report& report) {
  const record::Counters& counters = report.counters;
  Json json = {{"tasks", counters.tasks},
               {"asyncs", counters.asyncs},
               {"futures", counters.futures},
               {"finishes", counters.finishes},
               {"gets", counters.gets},
               {"non_tree_joins", 0},
               {"isolated", counters.isolated},
               {"reads", counters.reads},
               {"writes", counters.writes},
               {"atomics", counters.atomics},
               {"average_readers", 0.0},
               {"seconds", report.run.seconds},
               {"peak_bytes", report.run.peak_bytes}};
  for (const auto& [name, value] : report.statistics) {
    const auto [histogram, row] = split_name(name);
    Json& place = row.empty() ? json[name] : json[histogram][row];
    if (is_count(name, value)) {
      place = static_cast<std::uint64_t>(value);
    } else {
      place = value;
    }
  }
  return json;
}

// One element per line, so that a long report can be read, searched and compared.
Json exploration(const Exploration& of, double seconds) {
  Json json{{"orders", of.orders}, {"states", of.states}, {"deepest", of.deepest}, {"seconds", seconds}};
  if (of.schedule.empty()) return json;
  json["schedule"] = of.schedule;
  json["replay"] = of.replay;
  json["sections"] = Json::array();
  for (const Exploration::Section& section : of.sections) {
    Json one{{"task", section.task}, {"file", section.file}, {"line", section.line}};
    if (section.chosen) one["chosen"] = *section.chosen;
    json["sections"].push_back(std::move(one));
  }
  return json;
}

class List {
 public:
  List(std::ostream& out, std::string_view name) : out_(out) { out_ << "  \"" << name << "\": ["; }
  void add(const Json& element) { add_text(text(element)); }
  void add_text(std::string_view element) {
    out_ << (is_empty_ ? "\n    " : ",\n    ") << element;
    is_empty_ = false;
  }
  void end() { out_ << (is_empty_ ? "],\n" : "\n  ],\n"); }

 private:
  std::ostream& out_;
  bool is_empty_ = true;
};

void write_field(std::ostream& out, std::string_view name, const Json& value) {
  out << "  \"" << name << "\": " << text(value) << ",\n";
}

}  // namespace

void write_json(std::ostream& out, const Report& report) {
  const RunFacts& run = report.run;
  out << "{\n";
  write_field(out, "verdict", findings::to_string(report.verdict));
  write_field(out, "covers", findings::to_string(report.coverage));
  write_field(out, "detector", run.is_joins_only() ? "none" : run.detector);
  write_field(out, "joins", run.joins);
  write_field(out, "command", run.command);
  if (run.signal == 0) {
    write_field(out, "exit_code", run.exit_code);
  } else {
    write_field(out, "signal", run.signal);
    write_field(out, "signal_name", signal_name(run.signal));
  }
  if (run.interrupted) write_field(out, "interrupted", true);

  if (run.exploration) write_field(out, "exploration", exploration(*run.exploration, run.seconds));

  List races(out, "races");
  RaceTexts texts(report);
  for (const findings::RaceGroup& group : report.findings.races) {
    for (const findings::Race& found : group.races) {
      if (!out) return;  // the disk is full: the rest would be for nobody
      races.add_text(texts.of(found));
    }
  }
  races.end();
  List fingerprints(out, "fingerprints");
  for (const Fingerprint& fingerprint : fingerprints_of(report)) {
    fingerprints.add({{"fingerprint", fingerprint.value}, {"text", fingerprint.text}});
  }
  fingerprints.end();
  List expected(out, "expected");
  for (const ExpectedRaces& place : report.expected) {
    Json json = {{"races", place.races}, {"why", place.why}};
    add_frame(json, place.at);
    expected.add(json);
  }
  expected.end();
  if (report.suppressions) {
    write_field(out, "suppressions",
                {{"file", report.suppressions->name},
                 {"pairs", report.suppressions->pairs},
                 {"unused", report.suppressions->unused}});
  }
  if (report.baseline) {
    write_field(out, "baseline",
                {{"file", report.baseline->name},
                 {"known", report.baseline->known},
                 {"new", report.findings.races.size() - report.baseline->known},
                 {"gone", report.baseline->gone}});
  }
  List remedies(out, "remedies");
  for (const auto& [sites, changes] : report.remedies) {
    for (const findings::Remedy& change : changes) remedies.add(remedy(change));
  }
  remedies.end();
  List deadlocks(out, "deadlocks");
  for (const findings::Deadlock& found : report.findings.deadlocks) deadlocks.add(deadlock(found));
  deadlocks.end();
  List joins(out, "unknown_joins");
  for (const findings::UnknownJoin& found : report.findings.unknown_joins) joins.add(unknown_join(found));
  joins.end();
  List unknowns(out, "unsupported");
  for (const findings::Unsupported& found : report.findings.unsupported) unknowns.add(unsupported(found));
  unknowns.end();
  List notes(out, "notes");
  for (const std::string& note : report.notes) notes.add(note);
  notes.end();
  out << "  \"stats\": " << text(statistics(report)) << "\n}\n";
}

}  // namespace anyorder::report
