#include "queries/table.hpp"

#include <algorithm>
#include <cstdio>

namespace bench {
namespace {

constexpr int kNameWidth = 26;

std::string written(double value) {
  char text[64];
  std::snprintf(text, sizeof text, value >= 1000 ? "%.0f" : "%.4g", value);
  return text;
}

}  // namespace

void print(const Table& table) {
  constexpr std::size_t kNarrowest = 9;
  std::printf("\n%s\n\n%-*s", table.title.c_str(), kNameWidth, "");
  for (const std::string& column : table.columns) {
    std::printf("  %*s", static_cast<int>(std::max(column.size(), kNarrowest)), column.c_str());
  }
  std::printf("\n");
  for (const Table::Row& row : table.rows) {
    std::printf("%-*s", kNameWidth, row.name.c_str());
    for (std::size_t i = 0; i != row.values.size(); ++i) {
      std::printf("  %*s", static_cast<int>(std::max(table.columns[i].size(), kNarrowest)),
                  written(row.values[i]).c_str());
    }
    std::printf("  %s\n", row.remark.c_str());
  }
}

bool write_json(const std::string& path, const std::vector<Table>& tables) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  std::fprintf(file, "{\n  \"tables\": [");
  for (const Table& table : tables) {
    std::fprintf(file, "%s\n    { \"title\": \"%s\", \"rows\": [", &table == &tables.front() ? "" : ",",
                 table.title.c_str());
    for (const Table::Row& row : table.rows) {
      std::fprintf(file, "%s\n      { \"name\": \"%s\"", &row == &table.rows.front() ? "" : ",",
                   row.name.c_str());
      for (std::size_t i = 0; i != row.values.size(); ++i) {
        std::fprintf(file, ", \"%s\": %.6g", table.columns[i].c_str(), row.values[i]);
      }
      std::fprintf(file, " }");
    }
    std::fprintf(file, "\n    ] }");
  }
  std::fprintf(file, "\n  ]\n}\n");
  return std::fclose(file) == 0;
}

}  // namespace bench
