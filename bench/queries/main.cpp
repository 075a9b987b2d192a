// What queries of the reachability graph cost, and how the costs of tasks and accesses grow: no hooks, no
// executor, events alone. The exit code is 0 whatever the times are, and 1 if an answer was wrong.
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "queries/parts.hpp"
#include "queries/table.hpp"

namespace {

int usage(const char* program, std::FILE* out) {
  std::fprintf(out,
               "usage: %s [--smoke] [--only queries|growth] [--json FILE]\n\n"
               "  --smoke      small sizes: shows that everything runs, and with the right results\n"
               "  --json FILE  the tables, to make plots from\n",
               program);
  return out == stdout ? 0 : 64;
}

}  // namespace

int main(int argc, char** argv) {
  bool smoke = false;
  std::string only;
  std::string json;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help") return usage(argv[0], stdout);
    if (argument == "--smoke") {
      smoke = true;
    } else if (argument == "--only" && i + 1 < argc) {
      only = argv[++i];
    } else if (argument == "--json" && i + 1 < argc) {
      json = argv[++i];
    } else {
      return usage(argv[0], stderr);
    }
  }
  if (!only.empty() && only != "queries" && only != "growth") return usage(argv[0], stderr);
  std::vector<bench::Table> all;
  try {
    for (const auto& [name, measure] :
         {std::pair{"queries", &bench::measure_queries}, std::pair{"growth", &bench::measure_growth}}) {
      if (!only.empty() && only != name) continue;
      for (const bench::Table& table : measure(smoke)) {
        print(table);
        all.push_back(table);
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
  if (!json.empty() && !bench::write_json(json, all)) {
    std::fprintf(stderr, "%s: cannot write %s\n", argv[0], json.c_str());
    return 70;
  }
  return 0;
}
