// The exports are well-formed and hold what the graph does.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <string_view>

#include "run.hpp"

namespace anyorder::detect::graph {
namespace {

// True iff the text is one JSON value with nothing after it.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : rest_(text) {}
  bool reads_all() { return value() && (skip_space(), rest_.empty()); }

 private:
  void skip_space() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      rest_.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skip_space();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool value() {
    if (take("{")) return list("}", [this] { return string() && take(":") && value(); });
    if (take("[")) return list("]", [this] { return value(); });
    return take("null") || take("true") || take("false") || number() || string();
  }
  template <class Item>
  bool list(std::string_view end, Item item) {
    if (take(end)) return true;
    do {
      if (!item()) return false;
    } while (take(","));
    return take(end);
  }
  bool number() {
    skip_space();
    const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    rest_.remove_prefix(digits);
    return digits > 0;
  }
  bool string() {
    if (!take("\"")) return false;
    while (!rest_.empty() && rest_.front() != '"') {
      if (static_cast<unsigned char>(rest_.front()) < 0x20) return false;
      const std::size_t length = rest_.front() == '\\' ? 2 : 1;
      if (rest_.size() < length) return false;
      rest_.remove_prefix(length);
    }
    return take("\"");
  }

  std::string_view rest_;
};

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

std::string json_of(const Graph& graph) {
  std::ostringstream out;
  graph.write_json(out);
  return out.str();
}
std::string dot_of(const Graph& graph) {
  std::ostringstream out;
  graph.write_dot(out);
  return out.str();
}

const Program kProgram{future(0, {write(0)}),
                       async({write(1), isolated({write(2)})}),
                       get(0),
                       isolated({read(2)}),
                       read(1),
                       async({write(3)}),
                       write(3)};

TEST(Export, JsonHasTasksStepsEdgesAndRaces) {
  const Checked checked(kProgram);
  const std::string json = json_of(checked.detector);
  EXPECT_TRUE(JsonReader(json).reads_all()) << json;
  EXPECT_EQ(count(json, "\"parent\": "), 4U);
  EXPECT_EQ(count(json, "\"kind\": \"root\""), 1U);
  EXPECT_EQ(count(json, "\"kind\": \"future\""), 1U);
  EXPECT_EQ(count(json, "\"kind\": \"spawn\""), 3U);
  EXPECT_EQ(count(json, "\"kind\": \"join\""), 4U);  // the get, and the end of the root's finish
  EXPECT_EQ(count(json, "\"kind\": \"order\""), 1U);
  EXPECT_EQ(count(json, "\"isolated\": true"), 2U);
  EXPECT_EQ(count(json, "\"racing\": true"), 2U);
  EXPECT_EQ(count(json, "{\"first\": "), 2U);  // a race and an undecided pair
  EXPECT_EQ(count(json, "{\"file\": \"program.cpp\", \"line\": 1, \"function\": \"program\"}"), 3U) << json;
}

TEST(Export, JsonOfNothingIsWellFormed) {
  findings::FindingSet findings;
  const Graph graph(findings);
  EXPECT_TRUE(JsonReader(json_of(graph)).reads_all());
}

TEST(Export, NamesAreEscaped) {
  findings::FindingSet findings;
  Graph graph(findings);
  void* root = nullptr;
  void* finish = nullptr;
  void* child = nullptr;
  graph.root_begun(root, finish);
  graph.task_created(root, child, finish, events::TaskKind::async, {"a \"b\"\\\n.cpp", "operator\"\"_x", 1});
  EXPECT_TRUE(JsonReader(json_of(graph)).reads_all()) << json_of(graph);
  EXPECT_NE(dot_of(graph).find(R"(a \"b\"\\\u000a.cpp:1)"), std::string::npos) << dot_of(graph);
}

TEST(Export, DotMarksRacingStepsAndKindsOfEdges) {
  const Checked checked(kProgram);
  const std::string dot = dot_of(checked.detector);
  EXPECT_TRUE(dot.starts_with("digraph anyorder {\n"));
  EXPECT_TRUE(dot.ends_with("}\n"));
  EXPECT_EQ(count(dot, "{"), count(dot, "}"));
  EXPECT_EQ(count(dot, "subgraph cluster_"), 4U);
  EXPECT_EQ(count(dot, "fillcolor=tomato"), 2U);
  EXPECT_EQ(count(dot, "[color=blue]"), 3U);
  EXPECT_EQ(count(dot, "[color=darkgreen]"), 4U);
  EXPECT_EQ(count(dot, "[style=dashed"), 1U);
  EXPECT_EQ(count(dot, "label=\"race\""), 1U);
  EXPECT_EQ(count(dot, "label=\"undecided\""), 1U);
}

TEST(Export, GraphvizTakesTheDot) {
  if (std::system("command -v dot > /dev/null") != 0) GTEST_SKIP() << "Graphviz is not installed";
  const std::string file = testing::TempDir() + "anyorder_export_test.dot";
  std::ofstream(file) << dot_of(Checked(kProgram).detector);
  EXPECT_EQ(std::system(("dot -Tplain '" + file + "' > /dev/null").c_str()), 0);
  std::remove(file.c_str());
}

}  // namespace
}  // namespace anyorder::detect::graph
