#include "queries/program.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

namespace bench {
namespace {

int usage(const char* program, std::span<const Part> parts, std::FILE* out) {
  std::string names;
  for (const Part& part : parts) names.append(names.empty() ? "" : "|").append(part.name);
  std::fprintf(out,
               "usage: %s [--smoke] [--only %s] [--json FILE]\n\n"
               "  --smoke      small sizes: shows that everything runs, and with the right results\n"
               "  --only PART  the tables of that part alone\n"
               "  --json FILE  the tables, to make plots from\n",
               program, names.c_str());
  return out == stdout ? 0 : 64;
}

}  // namespace

int run_parts(int argc, char** argv, std::span<const Part> parts) {
  bool smoke = false;
  std::string_view only;
  std::string json;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help") return usage(argv[0], parts, stdout);
    if (argument == "--smoke") {
      smoke = true;
    } else if (argument == "--only" && i + 1 < argc) {
      only = argv[++i];
      const bool is_known =
          std::any_of(parts.begin(), parts.end(), [&](const Part& part) { return part.name == only; });
      if (!is_known) return usage(argv[0], parts, stderr);
    } else if (argument == "--json" && i + 1 < argc) {
      json = argv[++i];
    } else {
      return usage(argv[0], parts, stderr);
    }
  }
  std::vector<Table> all;
  try {
    for (const Part& part : parts) {
      if (!only.empty() && only != part.name) continue;
      for (const Table& table : part.measure(smoke)) {
        print(table);
        all.push_back(table);
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
  if (!json.empty() && !write_json(json, all)) {
    std::fprintf(stderr, "%s: cannot write %s\n", argv[0], json.c_str());
    return 70;
  }
  return 0;
}

}  // namespace bench
