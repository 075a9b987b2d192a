// A random program as a value: a tree of statements over the whole API.
//
// Every tree is a program. What a statement names may not be there when it runs: a block that is not
// allocated, an empty handle, a local of no enclosing scope, bytes outside of the object. Then the statement
// does nothing, and whether it does is known in serial depth-first order, which is the order of every run
// here. So any part of a program may be deleted, and what is left is still one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace anyorder::differential {

inline constexpr int kVariables = 4;  // v0…, checked memory that lives as long as the program
inline constexpr int kHandles = 6;    // h0…, shared handle variables
inline constexpr int kBlocks = 4;     // b0…, places for a block of the heap
inline constexpr int kBoxes = 2;      // x0…, places for a container of handles on the heap
inline constexpr int kBoxHandles = 2;
inline constexpr int kLocals = 3;    // l0…, variables on the stack of the task that opens the scope
inline constexpr int kObjects = 3;   // o0…, objects of isolated sections
inline constexpr int kCaptures = 2;  // c0…, handles that a task has captured by value
inline constexpr int kVariableBytes = 48;
inline constexpr int kLocalBytes = 32;
inline constexpr int kHandleBytes = 8;
inline constexpr int kLargestBlock = 64;
inline constexpr int kLongestLoop = 1000;

enum class Storage : std::uint8_t { variable, block, local };

// Bytes of one object; in a loop `offset` grows by `stride` with each index of the innermost one.
struct Range {
  Storage storage = Storage::variable;
  int index = 0;
  int offset = 0;
  int size = 1;
  int stride = 0;

  friend bool operator==(const Range&, const Range&) = default;
};

enum class HandleKind : std::uint8_t { none, shared, boxed, captured };

// Where a handle is kept.
struct HandlePlace {
  HandleKind kind = HandleKind::none;
  int index = 0;
  int element = 0;  // of a box

  friend bool operator==(const HandlePlace&, const HandlePlace&) = default;
};

enum class Op : std::uint8_t {
  read,      // range
  write,     // range
  async,     // captures, body
  future,    // target = async_future(body); captures; the task returns a copy of `source`
  finish,    // body
  get,       // source; target, if any, becomes a copy of the handle that the future has returned
  copy,      // target = source
  move,      // target = std::move(source); a captured source is copied
  forall,    // count, captures, body
  forasync,  // count, captures, body
  isolated,  // objects, body of reads, writes, copies and moves
  allocate,  // block `index` of `count` bytes
  release,   // frees block `index`
  box,       // allocates container `index`
  unbox,     // destroys it
  local,     // a function with the local `index`, which runs the body in a finish
  region,    // a region, and the body; its end awaits what is left
  post,      // captures, body, into the innermost region that the task may use; count: its handler
  await,     // of that region
};

// The handler of a post, in its `count`: an access to its range.
inline constexpr int kReads = 1;
inline constexpr int kWrites = 2;

struct Statement {
  Op op = Op::finish;
  Range range = {};
  HandlePlace source = {};
  HandlePlace target = {};
  int index = 0;
  int count = 0;
  std::vector<HandlePlace> captures = {};  // at most kCaptures
  std::vector<int> objects = {};           // of an isolated section; empty: it excludes all others
  std::vector<Statement> body = {};

  friend bool operator==(const Statement&, const Statement&) = default;
};

struct Program {
  std::string name;
  std::vector<Statement> body;
};

[[nodiscard]] inline std::size_t statement_count(const std::vector<Statement>& body) {
  std::size_t count = body.size();
  for (const Statement& statement : body) count += statement_count(statement.body);
  return count;
}

// Objects of checked memory are numbered in the order in which they come into being: first the variables,
// then the shared handles, then blocks, boxes and locals as the serial run makes them.
struct Object {
  int size = 0;
  bool holds_handles = false;
};
[[nodiscard]] inline std::vector<Object> objects_at_start() {
  std::vector<Object> objects(kVariables, Object{kVariableBytes, false});
  objects.insert(objects.end(), kHandles, Object{kHandleBytes, true});
  return objects;
}

}  // namespace anyorder::differential
