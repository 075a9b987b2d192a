#include "shrink.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <utility>

namespace anyorder::differential {
namespace {

using Body = std::vector<Statement>;

int detail_of(const Body& body) {
  int detail = 0;
  for (const Statement& s : body) {
    detail += s.range.size + s.range.offset + s.range.index + s.range.stride + s.index + s.count +
              static_cast<int>(s.range.storage) * 8 +
              static_cast<int>(s.captures.size() + s.objects.size()) * 4 +
              static_cast<int>(s.source.kind) * 2 + s.source.index + static_cast<int>(s.target.kind) * 2 +
              s.target.index + static_cast<int>(s.op) + detail_of(s.body);
  }
  return detail;
}

// Smaller is better; a step of shrinking always makes it smaller, so that there is an end.
std::pair<std::size_t, int> weight(const Program& program) {
  return {statement_count(program.body), detail_of(program.body)};
}

// Simpler forms of one statement.
std::vector<Statement> simpler(const Statement& statement) {
  std::vector<Statement> forms;
  const auto form = [&](auto change) {
    Statement changed = statement;
    change(changed);
    if (changed != statement) forms.push_back(std::move(changed));
  };
  switch (statement.op) {
    case Op::read:
    case Op::write:
      form([](Statement& s) { s.range = {Storage::variable, 0, 0, 1, 0}; });
      form([](Statement& s) { s.range.size = 1; });
      form([](Statement& s) { s.range.size = s.range.size / 2 + s.range.size % 2; });
      form([](Statement& s) { s.range.stride = 0; });
      form([](Statement& s) { s.range.offset = 0; });
      form([](Statement& s) { s.range.index = 0; });
      break;
    case Op::forall:
    case Op::forasync:
      form([](Statement& s) { s.count = std::min(s.count, 1); });
      form([](Statement& s) { s.count = std::min(s.count, 2); });
      form([](Statement& s) {
        s.op = Op::async;
        s.count = 0;
      });
      break;
    case Op::future:
      form([](Statement& s) { s.source = {}; });
      form([](Statement& s) {
        s.op = Op::async;
        s.source = s.target = {};
      });
      break;
    case Op::post:
      form([](Statement& s) {
        s.count = 0;
        s.range = {};
      });
      form([](Statement& s) {
        s.op = Op::async;
        s.count = 0;
        s.range = {};
      });
      break;
    case Op::get:
      form([](Statement& s) { s.target = {}; });
      break;
    case Op::isolated:
      form([](Statement& s) { s.objects.clear(); });
      break;
    case Op::local:
      form([](Statement& s) { s.op = Op::finish; });
      break;
    default:
      break;
  }
  form([](Statement& s) {
    if (!s.captures.empty()) s.captures.pop_back();
  });
  return forms;
}

// All programs that are one step smaller, the boldest steps first.
class Steps {
 public:
  explicit Steps(const Program& program) : program_(program) {
    for (std::size_t length = statement_count(program.body); length > 0; length /= 2) {
      delete_runs(work_, length);
    }
    hoist(work_);
    simplify(work_);
  }
  std::vector<Program> take() { return std::move(candidates_); }

 private:
  void keep() { candidates_.push_back({program_.name, work_}); }

  // Every run of `length` statements that follow each other.
  void delete_runs(Body& body, std::size_t length) {
    const Body original = body;
    for (std::size_t at = 0; at + length <= original.size(); at += std::max<std::size_t>(1, length / 2)) {
      const auto begin = body.begin() + static_cast<std::ptrdiff_t>(at);
      body.erase(begin, begin + static_cast<std::ptrdiff_t>(length));
      keep();
      body = original;
    }
    for (Statement& statement : body) delete_runs(statement.body, length);
  }
  // The body in the place of the statement.
  void hoist(Body& body) {
    const Body original = body;
    for (std::size_t at = 0; at < original.size(); ++at) {
      if (original[at].body.empty()) continue;
      const auto place = body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
      body.insert(place, original[at].body.begin(), original[at].body.end());
      keep();
      body = original;
    }
    for (Statement& statement : body) hoist(statement.body);
  }
  void simplify(Body& body) {
    for (Statement& statement : body) {
      const Statement original = statement;
      for (Statement& form : simpler(original)) {
        statement = std::move(form);
        keep();
      }
      statement = original;
      simplify(statement.body);
    }
  }

  const Program& program_;
  Body work_ = program_.body;
  std::vector<Program> candidates_;
};

// The same change to every access of a place at once, which no step on one statement can make.
void for_each_access(Body& body, const std::function<void(Range&)>& change) {
  for (Statement& statement : body) {
    if (statement.op == Op::read || statement.op == Op::write) change(statement.range);
    for_each_access(statement.body, change);
  }
}
void add_joint_changes(const Program& program, std::vector<Program>& candidates) {
  const auto with = [&](const std::function<void(Range&)>& change) {
    Program changed = program;
    for_each_access(changed.body, change);
    candidates.push_back(std::move(changed));
  };
  with([](Range& range) { range = {Storage::variable, 0, 0, 1, 0}; });
  with([](Range& range) { range.offset = 0; });
  with([](Range& range) { range.size = 1; });
  with([](Range& range) { range = {range.storage, range.index, 0, 1, 0}; });
  int first = kVariableBytes;
  Program copy = program;
  for_each_access(copy.body, [&](Range& range) { first = std::min(first, range.offset); });
  with([first](Range& range) { range.offset -= first; });
}

}  // namespace

Program shrink(Program program, const StillDisagree& still_disagree) {
  constexpr std::size_t kAtOnce = 100;
  for (bool smaller = true; smaller;) {
    smaller = false;
    std::vector<Program> candidates = Steps(program).take();
    add_joint_changes(program, candidates);
    std::erase_if(candidates, [&](const Program& candidate) { return weight(candidate) >= weight(program); });
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Program& a, const Program& b) { return weight(a) < weight(b); });
    for (std::size_t from = 0; from < candidates.size() && !smaller; from += kAtOnce) {
      const auto begin = candidates.begin() + static_cast<std::ptrdiff_t>(from);
      const auto end =
          candidates.begin() + static_cast<std::ptrdiff_t>(std::min(from + kAtOnce, candidates.size()));
      const std::vector<Program> batch(begin, end);
      const std::vector<bool> disagree = still_disagree(batch);
      const auto found = std::find(disagree.begin(), disagree.end(), true);
      if (found == disagree.end()) continue;
      program = batch[static_cast<std::size_t>(found - disagree.begin())];
      smaller = true;
    }
  }
  return program;
}

}  // namespace anyorder::differential
