// Tables of numbers, as text and as JSON.
#pragma once

#include <string>
#include <vector>

namespace bench {

struct Table {
  struct Row {
    std::string name;
    std::vector<double> values;  // one per column
    std::string remark{};
  };
  std::string title;
  std::vector<std::string> columns;  // also the keys of the JSON
  std::vector<Row> rows{};
};

void print(const Table& table);

// False: the file cannot be written. Names and titles are ours: nothing in them needs escaping.
[[nodiscard]] bool write_json(const std::string& path, const std::vector<Table>& tables);

}  // namespace bench
