// Small programs of tasks, as values: what is written in a test, run, printed and generated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace anyorder::detect {

enum class Op : std::uint8_t { read, write, async, future, finish, get, isolated, forget, drop, destroy };

struct Statement {
  Op op;
  // read, write, forget: the first byte. future: the number of its handle. get: that of the handle it waits
  // for; a handle whose future was not created yet is skipped. isolated: the object, 0 for none. drop,
  // destroy: the object whose reference is dropped, or that is written and freed as by the last who has one.
  int number = 0;
  std::vector<Statement> body = {};
  int bytes = 1;  // read, write, forget
  int times = 1;  // read, write: as a loop does, each behind the one before
};
using Program = std::vector<Statement>;

// Objects with references are the first bytes of the memory.
inline constexpr int kObjectBytes = 2;

inline Statement read(int byte, int bytes = 1) { return {Op::read, byte, {}, bytes}; }
inline Statement write(int byte, int bytes = 1) { return {Op::write, byte, {}, bytes}; }
inline Statement forget(int byte, int bytes = 1) { return {Op::forget, byte, {}, bytes}; }
inline Statement async(Program body) { return {Op::async, 0, std::move(body)}; }
inline Statement future(int handle, Program body) { return {Op::future, handle, std::move(body)}; }
inline Statement finish(Program body) { return {Op::finish, 0, std::move(body)}; }
inline Statement get(int handle) { return {Op::get, handle}; }
inline Statement drop(int object) { return {Op::drop, object}; }
inline Statement destroy(int object) { return {Op::destroy, object}; }
inline Statement isolated(Program body, int object = 0) { return {Op::isolated, object, std::move(body)}; }

inline std::string to_string(const Program& program) {
  static constexpr const char* kNames[] = {"read ", "write ",    "async",   "future ", "finish",
                                           "get ",  "isolated ", "forget ", "drop ",   "destroy "};
  std::string text;
  for (const Statement& statement : program) {
    if (!text.empty()) text += "; ";
    text += kNames[static_cast<std::size_t>(statement.op)];
    const bool has_number = statement.op != Op::async && statement.op != Op::finish;
    if (has_number) text += std::to_string(statement.number);
    if (statement.bytes != 1) text.append("+").append(std::to_string(statement.bytes));
    if (statement.times != 1) text.append("*").append(std::to_string(statement.times));
    const bool has_body = statement.op == Op::async || statement.op == Op::future ||
                          statement.op == Op::finish || statement.op == Op::isolated;
    if (has_body) text.append("{").append(to_string(statement.body)).append("}");
  }
  return text;
}

}  // namespace anyorder::detect
