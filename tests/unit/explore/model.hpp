// Small task-parallel programs as data, and a machine that runs them one statement at a time. The search and
// brute force run the same machine, in different orders.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "explore/digest.hpp"
#include "explore/window.hpp"

namespace anyorder::exploring::model {

struct Statement;
using Block = std::vector<Statement>;

enum class Op : std::uint8_t {
  read,      // register := variable
  write,     // variable := register + number
  async,     // body
  future,    // body; handle := the task
  get,       // handle, if there is one
  put,       // variable := handle
  take,      // handle := variable
  finish,    // body
  isolated,  // body; number: the objects, one bit each, 0: all
  if_equal,  // body, if register == number
  post,      // body, into the task's region; handler, when it is joined
  await,     // all that it has posted, in their order
  await_one,
};

struct Statement {
  Op op;
  unsigned variable = 0;
  unsigned number = 0;
  Block body{};
  Block handler{};
};

inline constexpr unsigned kVariables = 4;  // numbers; handles are in those after them
inline constexpr unsigned kHandles = 2;

inline std::string to_text(const Block& block) {
  static constexpr std::array<const char*, 13> kNames{"read", "write", "async",    "future",   "get",
                                                      "put",  "take",  "finish",   "isolated", "if",
                                                      "post", "await", "await_one"};
  std::string text;
  for (const Statement& s : block) {
    text += kNames[static_cast<std::size_t>(s.op)];
    if (s.op == Op::read || s.op == Op::write || s.op == Op::put || s.op == Op::take) {
      text.append(" v").append(std::to_string(s.variable));
    }
    if (s.op == Op::write || s.op == Op::isolated || s.op == Op::if_equal)
      text.append(" ").append(std::to_string(s.number));
    if (!s.body.empty() || s.op == Op::isolated) text.append("{ ").append(to_text(s.body)).append("}");
    if (!s.handler.empty()) text.append(" then { ").append(to_text(s.handler)).append("}");
    text += "; ";
  }
  return text;
}

struct Frame {
  const Block* block;
  std::size_t next;
  enum Kind : std::uint8_t { plain, finish, section } kind;
  std::uint64_t id;  // of a finish
};

struct Task {
  std::vector<Frame> frames;
  std::uint64_t lineage = 1;
  std::uint64_t finish = 0;
  unsigned reg = 0;
  std::uint64_t handle = 0;  // a lineage; 0: none
  unsigned children = 0;
  unsigned finishes = 0;
  bool ended = false;
  bool in_get = false;
  Section section;
  std::vector<std::uint64_t> posted{};  // lineages of tasks in its region that it has not joined
  const Block* handler = nullptr;       // of the task that joins it
  std::uint64_t region = 0;             // the lineage of the task that made the region that it posts into
};

struct Access {
  unsigned variable;
  bool write;
};

// What a task stands in front of.
struct Front {
  enum Kind : std::uint8_t { local, access, enter, leave, choose, blocked, ended } kind;
  Access what{};
};

inline Section section_of(unsigned objects) {
  Section section{true, {}};
  for (unsigned i = 0; i != 8; ++i) {
    if ((objects >> i & 1U) != 0) section.objects.push_back(i + 1);
  }
  return section;
}

class Machine {
 public:
  explicit Machine(const Block& program) {
    tasks.emplace_back();
    tasks.front().region = tasks.front().lineage;
    tasks.front().frames.push_back({&program, 0, Frame::plain, 0});
  }

  std::vector<Task> tasks;
  std::array<std::uint64_t, kVariables + kHandles> memory{};

  [[nodiscard]] Front front(std::size_t number) const {
    const Task& task = tasks[number];
    if (task.ended) return {Front::ended};
    const Frame& frame = task.frames.back();
    if (frame.next == frame.block->size()) {
      if (frame.kind == Frame::section) return {Front::leave};
      if (frame.kind == Frame::finish) return {any_alive_in(frame.id) ? Front::blocked : Front::local};
      return {Front::local};
    }
    const Statement& statement = (*frame.block)[frame.next];
    switch (statement.op) {
      case Op::read:
      case Op::take:
        return {Front::access, {statement.variable, false}};
      case Op::write:
      case Op::put:
        return {Front::access, {statement.variable, true}};
      case Op::isolated:
        return {Front::enter};
      case Op::get:
        return {task.handle != 0 && !tasks[number_of(task.handle)].ended ? Front::blocked : Front::local};
      case Op::await:
      case Op::await_one:
        if (chooses(number)) return {candidates(number).empty() ? Front::blocked : Front::choose};
        return {!task.posted.empty() && !has_ended(task.posted.front()) ? Front::blocked : Front::local};
      default:
        return {Front::local};
    }
  }
  [[nodiscard]] const Statement& statement(std::size_t number) const {
    const Frame& frame = tasks[number].frames.back();
    return (*frame.block)[frame.next];
  }
  [[nodiscard]] bool at_end_of_block(std::size_t number) const {
    const Frame& frame = tasks[number].frames.back();
    return frame.next == frame.block->size();
  }
  [[nodiscard]] std::size_t number_of(std::uint64_t lineage) const {
    return static_cast<std::size_t>(
        std::find_if(tasks.begin(), tasks.end(), [&](const Task& t) { return t.lineage == lineage; }) -
        tasks.begin());
  }

  // Whether the task stands at an await_one that has more than one to wait for, and which of them have ended.
  [[nodiscard]] bool chooses(std::size_t number) const {
    return !tasks[number].ended && !at_end_of_block(number) && statement(number).op == Op::await_one &&
           tasks[number].posted.size() > 1;
  }
  [[nodiscard]] std::vector<std::uint64_t> candidates(std::size_t number) const {
    std::vector<std::uint64_t> all = tasks[number].posted;
    std::erase_if(all, [&](std::uint64_t lineage) { return !has_ended(lineage); });
    return all;
  }
  [[nodiscard]] bool has_ended(std::uint64_t lineage) const { return tasks[number_of(lineage)].ended; }

  // One statement of a task that is not blocked; `choice`: whom it awaits, if it chooses.
  void step(std::size_t number, std::uint64_t choice = 0) {
    if (at_end_of_block(number)) {
      leave_block(tasks[number]);
      return;
    }
    const Statement& s = statement(number);
    Task& task = tasks[number];
    if (s.op == Op::await || s.op == Op::await_one) {
      if (s.op == Op::await_one || task.posted.empty()) ++task.frames.back().next;
      if (!task.posted.empty()) join(task, choice != 0 ? choice : task.posted.front());
      return;
    }
    ++task.frames.back().next;
    switch (s.op) {
      case Op::read:
        task.reg = static_cast<unsigned>(memory[s.variable]);
        break;
      case Op::write:
        memory[s.variable] = (task.reg + s.number) % 4;
        break;
      case Op::put:
        memory[s.variable] = task.handle;
        break;
      case Op::take:
        task.handle = memory[s.variable];
        break;
      case Op::get:
        break;
      case Op::finish:
        task.frames.push_back({&s.body, 0, Frame::finish, scrambled(task.lineage * 64 + ++task.finishes)});
        break;
      case Op::isolated:
        task.section = section_of(s.number);
        task.frames.push_back({&s.body, 0, Frame::section, 0});
        break;
      case Op::if_equal:
        if (task.reg == s.number) task.frames.push_back({&s.body, 0, Frame::plain, 0});
        break;
      case Op::await:
      case Op::await_one:
        break;
      case Op::async:
      case Op::future:
      case Op::post: {
        Task child;
        child.lineage = scrambled(task.lineage * 0x9E3779B97F4A7C15U + ++task.children);
        child.finish = innermost_finish(task);
        child.reg = task.reg;
        child.handle = task.handle;
        child.frames.push_back({&s.body, 0, Frame::plain, 0});
        child.region = child.lineage;
        if (s.op == Op::future) task.handle = child.lineage;
        if (s.op == Op::post) {
          task.posted.push_back(child.lineage);
          child.region = task.region;
          child.handler = &s.handler;
        }
        tasks.push_back(std::move(child));
        break;
      }
    }
  }

  [[nodiscard]] bool all_ended() const {
    return std::all_of(tasks.begin(), tasks.end(), [](const Task& task) { return task.ended; });
  }

 private:
  // Its result is its register; what it has not joined itself is handed over.
  void join(Task& task, std::uint64_t lineage) {
    Task& child = tasks[number_of(lineage)];
    std::erase(task.posted, lineage);
    task.posted.insert(task.posted.end(), child.posted.begin(), child.posted.end());
    child.posted.clear();
    if (child.handler->empty()) return;
    task.reg = child.reg;
    task.frames.push_back({child.handler, 0, Frame::plain, 0});
  }
  static std::uint64_t innermost_finish(const Task& task) {
    for (auto frame = task.frames.rbegin(); frame != task.frames.rend(); ++frame) {
      if (frame->kind == Frame::finish) return frame->id;
    }
    return task.finish;
  }
  [[nodiscard]] bool any_alive_in(std::uint64_t finish) const {
    return std::any_of(tasks.begin(), tasks.end(),
                       [&](const Task& task) { return !task.ended && task.finish == finish; });
  }
  static void leave_block(Task& task) {
    if (task.frames.back().kind == Frame::section) task.section = {};
    task.frames.pop_back();
    if (task.frames.empty()) task.ended = true;
  }
};

struct Shape {
  bool futures = true;
  bool objects = false;
  std::size_t most = 24;       // statements, about
  std::size_t most_tasks = 5;  // likewise
  bool regions = false;
};

class Generator {
 public:
  Generator(std::uint64_t seed, Shape shape) : random_(seed), shape_(shape) {}

  // Some tasks, most of them with sections, and something beside them.
  Block program() {
    left_ = shape_.most;
    tasks_ = shape_.most_tasks;
    Block block;
    for (unsigned i = 2 + below(2); i != 0; --i) {
      if (below(4) == 0) block.push_back(statement(0, false));
      block.push_back(task(0));
    }
    for (unsigned i = below(4); i != 0; --i) block.push_back(statement(0, false));
    if (below(3) != 0) return block;
    Block finished{{Op::finish, 0, 0, std::move(block)}};
    finished.push_back(statement(0, false));
    return finished;
  }

 private:
  unsigned below(std::size_t n) { return static_cast<unsigned>(random_() % n); }

  Block body(unsigned depth, bool isolated, std::size_t most) {
    Block block;
    for (std::size_t i = 1 + below(most); i != 0 && left_ > 0; --i) {
      --left_;
      block.push_back(statement(depth, isolated));
    }
    return block;
  }
  // Plain ones are mostly on the last two variables, so that most races depend on the order of sections.
  Statement access(bool isolated) {
    const unsigned variable = below(8) == 0 ? below(kVariables) : (isolated ? 0 : 2) + below(2);
    const bool handles = shape_.futures && below(isolated ? 3 : 16) == 0;
    if (handles) return {below(2) == 0 ? Op::put : Op::take, kVariables + below(kHandles)};
    if (below(2) == 0) return {Op::read, variable};
    return {Op::write, variable, below(2)};
  }
  Statement task(unsigned depth) {
    if (tasks_ > 0) --tasks_;
    if (shape_.regions && below(3) != 0) {
      Statement post{Op::post, 0, 0, body(depth + 1, false, 3)};
      if (below(2) == 0) post.handler = body(depth + 1, false, 2);
      return post;
    }
    return {shape_.futures && below(2) == 0 ? Op::future : Op::async, 0, 0, body(depth + 1, false, 4)};
  }
  Statement statement(unsigned depth, bool isolated) {
    const unsigned kind = below(20);
    if (isolated) {
      if (kind < 3 && depth < 5) return {Op::if_equal, 0, below(2), body(depth + 1, true, 2)};
      return access(true);
    }
    if (kind < 9 && depth < 5) {
      const unsigned objects = shape_.objects && below(3) != 0 ? 1 + below(3) : 0;
      return {Op::isolated, 0, objects, below(6) == 0 ? Block{} : body(depth + 1, true, 3)};
    }
    if (shape_.regions && below(5) == 0) return {below(3) == 0 ? Op::await : Op::await_one};
    if (kind < 11 && depth < 4 && tasks_ > 0) return task(depth);
    if (kind == 11 && depth < 4) return {Op::finish, 0, 0, body(depth + 1, false, 4)};
    if (kind < 15 && depth < 5) return {Op::if_equal, 0, below(2), body(depth + 1, false, 2)};
    if (kind < 18 && shape_.futures) return {Op::get};
    return access(false);
  }

  std::mt19937_64 random_;
  Shape shape_;
  std::size_t left_ = 0;
  std::size_t tasks_ = 0;
};

}  // namespace anyorder::exploring::model
