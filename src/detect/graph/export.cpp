// The graph as JSON and as Graphviz DOT.
//
// JSON: { "tasks": [ { "id", "kind", "parent" (null for a root), "created_at": place } ],
//         "steps": [ { "id", "task", "from": place, "isolated", "racing" } ],
//         "edges": [ { "from", "to", "kind": "continue | spawn | join | order" } ],
//         "races": [ { "first", "second" } ], "undecided": [ { "first", "second" } ] }
// where a place is { "file", "line", "function" } or null, and the last two are pairs of steps.
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>

#include "detect/graph/graph.hpp"

namespace anyorder::detect::graph {
namespace {

// Both formats take a string in quotes with a backslash before quotes and backslashes. Control characters,
// which only JSON needs escaped, do no harm in DOT that way.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      result += escape;
    } else {
      result += c;
    }
  }
  return result += '"';
}

bool known(events::SourceSite at) { return at.file[0] != '\0'; }

std::string place(events::SourceSite at) {
  if (!known(at)) return "null";
  return "{\"file\": " + quoted(at.file) + ", \"line\": " + std::to_string(at.line) +
         ", \"function\": " + quoted(at.function) + "}";
}

std::string file_and_line(events::SourceSite at) {
  std::string_view file = at.file;
  file.remove_prefix(file.find_last_of('/') + 1);  // npos + 1 is 0
  return std::string(file) + ":" + std::to_string(at.line);
}

// Writes "name": [ items ], one per line.
class JsonList {
 public:
  JsonList(std::ostream& out, std::string_view name) : out_(out) { out_ << quoted(name) << ": ["; }
  std::ostream& item() {
    out_ << (first_ ? "\n  " : ",\n  ");
    first_ = false;
    return out_;
  }
  void end(const char* after) { out_ << "\n]" << after << "\n"; }

 private:
  std::ostream& out_;
  bool first_ = true;
};

template <class Pairs>
std::set<StepId> members(const Pairs& pairs) {
  std::set<StepId> steps;
  for (const auto& [first, second] : pairs) steps.insert({first, second});
  return steps;
}

const char* style_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::continues:
      return "";
    case EdgeKind::spawn:
      return " [color=blue]";
    case EdgeKind::join:
      return " [color=darkgreen]";
    case EdgeKind::order:
      return " [style=dashed, color=gray]";
  }
  return "";
}

}  // namespace

void Graph::write_json(std::ostream& out) const {
  const std::lock_guard lock(mutex_);
  out << "{\n";
  JsonList tasks(out, "tasks");
  for (TaskId id = 0; id < graph_.tasks().size(); ++id) {
    const Task& task = graph_.tasks()[id];
    tasks.item() << "{\"id\": " << id << ", \"kind\": " << quoted(to_string(task.kind))
                 << ", \"parent\": " << (task.parent == kNoTask ? "null" : std::to_string(task.parent))
                 << ", \"created_at\": " << place(task.created_at) << "}";
  }
  tasks.end(",");
  const std::set<StepId> racing = members(racing_);
  JsonList steps(out, "steps");
  for (StepId id = 0; id < graph_.steps().size(); ++id) {
    const Step& step = graph_.steps()[id];
    steps.item() << "{\"id\": " << id << ", \"task\": " << step.task << ", \"from\": " << place(step.from)
                 << ", \"isolated\": " << (step.section != kNoSection ? "true" : "false")
                 << ", \"racing\": " << (racing.contains(id) ? "true" : "false") << "}";
  }
  steps.end(",");
  JsonList edges(out, "edges");
  for (StepId id = 0; id < graph_.steps().size(); ++id) {
    for (const Edge& edge : graph_.edges_into(id)) {
      edges.item() << "{\"from\": " << edge.from << ", \"to\": " << id
                   << ", \"kind\": " << quoted(to_string(edge.kind)) << "}";
    }
  }
  edges.end(",");
  const auto write_pairs = [&](const char* name, const std::set<StepPair>& pairs, const char* after) {
    JsonList list(out, name);
    for (const auto& [first, second] : pairs) {
      list.item() << "{\"first\": " << first << ", \"second\": " << second << "}";
    }
    list.end(after);
  };
  write_pairs("races", racing_, ",");
  write_pairs("undecided", undecided_, "");
  out << "}\n";
}

void Graph::write_dot(std::ostream& out) const {
  const std::lock_guard lock(mutex_);
  out << "digraph anyorder {\n  node [shape=box];\n";
  std::vector<std::vector<StepId>> steps_of(graph_.tasks().size());
  for (StepId id = 0; id < graph_.steps().size(); ++id) steps_of[graph_.steps()[id].task].push_back(id);
  const std::set<StepId> racing = members(racing_);
  for (TaskId id = 0; id < graph_.tasks().size(); ++id) {
    const Task& task = graph_.tasks()[id];
    std::string label = "task " + std::to_string(id) + ", " + std::string(to_string(task.kind));
    if (known(task.created_at)) label += ", " + file_and_line(task.created_at);
    out << "  subgraph cluster_" << id << " {\n    label=" << quoted(label) << ";\n";
    for (const StepId step : steps_of[id]) {
      std::string text = "step " + std::to_string(step);
      if (known(graph_.steps()[step].from)) text += ", " + file_and_line(graph_.steps()[step].from);
      if (graph_.steps()[step].section != kNoSection) text += ", isolated";
      out << "    s" << step << " [label=" << quoted(text)
          << (racing.contains(step) ? ", style=filled, fillcolor=tomato" : "") << "];\n";
    }
    out << "  }\n";
  }
  for (StepId id = 0; id < graph_.steps().size(); ++id) {
    for (const Edge& edge : graph_.edges_into(id)) {
      out << "  s" << edge.from << " -> s" << id << style_of(edge.kind) << ";\n";
    }
  }
  const auto write_pairs = [&](const std::set<StepPair>& pairs, const char* label) {
    for (const auto& [first, second] : pairs) {
      out << "  s" << first << " -> s" << second << " [dir=none, constraint=false, color=red, label=\""
          << label << "\"];\n";
    }
  };
  write_pairs(racing_, "race");
  write_pairs(undecided_, "undecided");
  out << "}\n";
}

}  // namespace anyorder::detect::graph
