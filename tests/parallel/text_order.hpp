// Which accesses of a Program of asyncs and finishes may run in parallel, read off its text: of two
// statements that stand in one list, or in bodies of two that do, the left one decides. Each statement is run
// once, so its number, in the order of the text and from 1 on, is also its place in the code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program.hpp"
#include "serial_run.hpp"

namespace anyorder::detect {

class TextOrder {
 public:
  explicit TextOrder(const Program& program) { add(program, {}); }

  [[nodiscard]] std::uintptr_t site_of(const Statement& statement) const { return sites_.at(&statement); }
  [[nodiscard]] bool is_site(std::uintptr_t site) const { return site != 0 && site <= statements_.size(); }
  [[nodiscard]] bool accesses(std::uintptr_t site, Op op, std::uintptr_t byte) const {
    const Statement& statement = *statements_[site - 1].statement;
    const std::uintptr_t begin = kMemory + static_cast<std::uintptr_t>(statement.number);
    return statement.op == op && byte >= begin && byte < begin + static_cast<std::uintptr_t>(statement.bytes);
  }
  [[nodiscard]] bool parallel(std::uintptr_t a, std::uintptr_t b) const {
    const Path& path_a = statements_[a - 1].path;
    const Path& path_b = statements_[b - 1].path;
    // No statement with a body makes an access, so neither path is a beginning of the other.
    const auto [at_a, at_b] = std::mismatch(path_a.begin(), path_a.end(), path_b.begin(), path_b.end());
    if (at_a == path_a.end() || at_b == path_b.end()) return false;
    return (at_a->index < at_b->index ? at_a : at_b)->is_async;
  }

 private:
  struct Turn {
    std::size_t index;
    bool is_async;
    friend bool operator==(const Turn&, const Turn&) = default;
  };
  using Path = std::vector<Turn>;
  struct Placed {
    const Statement* statement;
    Path path;
  };

  void add(const Program& program, const Path& above) {
    for (std::size_t i = 0; i != program.size(); ++i) {
      Path path = above;
      path.push_back({i, program[i].op == Op::async});
      statements_.push_back({&program[i], path});
      sites_[&program[i]] = statements_.size();
      add(program[i].body, path);
    }
  }

  std::vector<Placed> statements_;
  std::unordered_map<const Statement*, std::uintptr_t> sites_;
};

}  // namespace anyorder::detect
