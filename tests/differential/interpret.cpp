// interpret_differential <programs> <map>: runs every program of a text file with the real API, one after
// another, and writes down where their memory was.
//
// The walk is not instrumented and its memory is its own; what a program does to checked memory is done by
// the actions. Each program runs in a task of its own, in a finish, on a part of the stack and on memory that
// no other program of the process uses: so an address tells whose it is. In parallel stacks are not so
// orderly, and unless there is one program only, locals are in memory that is allocated for them.
//
// Tasks may run at the same time: of what is shared here, only the map is written without the program's order
// (Prediction::depends_on_schedule).
#include <alloca.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <unistd.h>
#include <utility>
#include <vector>

#include <anyorder/options.hpp>

#include "actions.hpp"
#include "memory_map.hpp"
#include "text.hpp"

namespace anyorder::differential {

namespace {

// Where a statement is in the run, by statements and indexes from the outside in: a serial run comes to them
// in the order of these.
using Path = std::vector<int>;

struct Environment {
  Path path{};
  std::array<unsigned char*, kLocals> locals{};
  std::array<Handle*, kCaptures> captures{};
  int index = 0;
  region* in = nullptr;  // that the task may use
};

struct Run;

}  // namespace

// Never given back: a task may run later than the statement that created it.
struct Frame {
  Run& run;
  const Statement& statement;
  Environment environment;
  std::size_t stack_room = 0;  // to leave free above the body
};

namespace {

struct alignas(16) SharedMemory {
  unsigned char variables[kVariables][kVariableBytes];
  unsigned char handles[kHandles][kHandleBytes];
};

struct Block {
  unsigned char* memory = nullptr;
  int size = 0;
};

// Objects in the order in which a serial run makes them.
class Objects {
 public:
  void add(const Path& path, PlacedObject object) {
    const std::lock_guard lock(mutex_);
    all_.emplace(path, object);
  }
  [[nodiscard]] std::vector<PlacedObject> in_order() const {
    std::vector<PlacedObject> objects;
    for (const auto& [path, object] : all_) objects.push_back(object);
    return objects;
  }

 private:
  std::mutex mutex_;
  std::multimap<Path, PlacedObject> all_;  // equal paths: in the order of insertion
};

// One program that runs.
struct Run {
  const Program& program;
  SharedMemory& memory;
  bool locals_on_stack;
  Objects made{};
  std::array<Block, kBlocks> blocks{};
  std::array<unsigned char*, kBoxes> boxes{};
  std::array<char, kObjects> objects{};
};

// Memory in which an earlier program had a block. A block may come back within a program, not in another one.
class UsedMemory {
 public:
  void insert(std::uintptr_t address, int size) {
    ends_[address] = address + static_cast<std::uintptr_t>(size);
  }
  [[nodiscard]] bool overlaps(std::uintptr_t address, int size) const {
    const auto after = ends_.lower_bound(address + static_cast<std::uintptr_t>(size));
    return after != ends_.begin() && std::prev(after)->second > address;
  }

 private:
  std::map<std::uintptr_t, std::uintptr_t> ends_;  // by first byte
};
UsedMemory heap_of_earlier_programs;

constexpr int kSlotOfLocals = 0;  // as allocate_block has slots

// Blocks that were used before are set aside for good.
template <class Allocate>
unsigned char* not_used_before(Allocate allocate, int size) {
  void* block = allocate();
  while (heap_of_earlier_programs.overlaps(reinterpret_cast<std::uintptr_t>(block), size)) block = allocate();
  return static_cast<unsigned char*>(block);
}

void place(Run& run, const Path& path, const void* at, int size) {
  run.made.add(path, {reinterpret_cast<std::uintptr_t>(at), size});
}

Handle* find(Run& run, const HandlePlace& place, const Environment& environment) {
  const auto index = static_cast<std::size_t>(place.index);
  switch (place.kind) {
    case HandleKind::shared:
      return reinterpret_cast<Handle*>(run.memory.handles[index]);
    case HandleKind::captured:
      return environment.captures[index];
    case HandleKind::boxed:
      if (run.boxes[index] == nullptr) return nullptr;
      return reinterpret_cast<Handle*>(run.boxes[index] + place.element * kHandleBytes);
    case HandleKind::none:
      break;
  }
  return nullptr;
}

// Looks at the handle behind the tool's back.
bool is_empty(const Handle* handle) {
  void* word = nullptr;
  std::memcpy(&word, static_cast<const void*>(handle), sizeof word);
  return word == nullptr;
}

void walk(Run& run, const std::vector<Statement>& body, const Environment& environment);

void access(Run& run, const Statement& statement, bool writes, const Environment& environment) {
  const Range& range = statement.range;
  const auto index = static_cast<std::size_t>(range.index);
  Block object;
  switch (range.storage) {
    case Storage::variable:
      object = {run.memory.variables[index], kVariableBytes};
      break;
    case Storage::block:
      object = run.blocks[index];
      break;
    case Storage::local:
      object = {environment.locals[index], kLocalBytes};
      break;
  }
  const int offset = range.offset + range.stride * environment.index;
  if (object.memory == nullptr || offset + range.size > object.size) return;
  if (writes) {
    write_bytes(object.memory + offset, range.size);
  } else {
    read_bytes(object.memory + offset, range.size);
  }
}

void run_with_local(Run& run, const Statement& statement, Environment environment, unsigned char* local) {
  place(run, environment.path, local, kLocalBytes);
  environment.locals[static_cast<std::size_t>(statement.index)] = local;
  environment.in = nullptr;  // a handler must not outlive the local
  make_finish(*new Frame{run, statement, environment});
}
[[gnu::noinline]] void run_with_local_on_stack(Run& run, const Statement& statement,
                                               const Environment& environment) {
  alignas(16) unsigned char local[kLocalBytes];
  run_with_local(run, statement, environment, local);
}
void run_with_allocated_local(Run& run, const Statement& statement, const Environment& environment) {
  unsigned char* const local =
      not_used_before([] { return allocate_block(kSlotOfLocals, kLocalBytes); }, kLocalBytes);
  run_with_local(run, statement, environment, local);
  free_block(kSlotOfLocals, local);
}

void execute(Run& run, const Statement& statement, const Environment& environment) {
  const auto frame = [&]() -> const Frame& { return *new Frame{run, statement, environment}; };
  const auto index = static_cast<std::size_t>(statement.index);
  const auto capture = [&](std::size_t number) -> const Handle* {
    return number < statement.captures.size() ? find(run, statement.captures[number], environment) : nullptr;
  };
  const Captures captures{static_cast<int>(statement.captures.size()), capture(0), capture(1)};
  switch (statement.op) {
    case Op::read:
    case Op::write:
      access(run, statement, statement.op == Op::write, environment);
      break;
    case Op::region:
      make_region(frame());
      break;
    case Op::post:
      if (environment.in != nullptr) make_post(frame(), captures, *environment.in, statement.count != 0);
      break;
    case Op::await:
      if (environment.in != nullptr) await_region(*environment.in);
      break;
    case Op::async:
      make_async(frame(), captures);
      break;
    case Op::future:
      make_future(frame(), captures);
      break;
    case Op::finish:
      make_finish(frame());
      break;
    case Op::get: {
      const Handle* const source = find(run, statement.source, environment);
      if (source != nullptr && !is_empty(source)) get_future(frame(), *source);
      break;
    }
    case Op::copy:
    case Op::move: {
      Handle* const source = find(run, statement.source, environment);
      Handle* const target = find(run, statement.target, environment);
      if (source == nullptr || target == nullptr) break;
      if (statement.op == Op::move && statement.source.kind != HandleKind::captured) {
        move_handle(*target, *source);
      } else {
        copy_handle(*target, *source);
      }
      break;
    }
    case Op::forall:
      make_forall(frame(), captures, statement.count);
      break;
    case Op::forasync:
      make_forasync(frame(), captures, statement.count);
      break;
    case Op::isolated: {
      const auto object = [&](std::size_t number) -> const void* {
        if (number >= statement.objects.size()) return nullptr;
        return &run.objects[static_cast<std::size_t>(statement.objects[number])];
      };
      make_isolated(frame(), static_cast<int>(statement.objects.size()), object(0), object(1), object(2));
      break;
    }
    case Op::allocate:
      if (run.blocks[index].memory != nullptr) break;
      run.blocks[index] = {
          not_used_before([&] { return allocate_block(statement.index, statement.count); }, statement.count),
          statement.count};
      place(run, environment.path, run.blocks[index].memory, statement.count);
      break;
    case Op::release: {
      const Block block = std::exchange(run.blocks[index], {});
      if (block.memory == nullptr) break;
      free_block(statement.index, block.memory);
      break;
    }
    case Op::box:
      if (run.boxes[index] != nullptr) break;
      run.boxes[index] = not_used_before(&allocate_box, kBoxHandles * kHandleBytes);
      place(run, environment.path, run.boxes[index], kBoxHandles * kHandleBytes);
      break;
    case Op::unbox:
      if (run.boxes[index] == nullptr) break;
      free_box(std::exchange(run.boxes[index], nullptr));
      break;
    case Op::local:
      if (run.locals_on_stack) {
        run_with_local_on_stack(run, statement, environment);
      } else {
        run_with_allocated_local(run, statement, environment);
      }
      break;
  }
}

void walk(Run& run, const std::vector<Statement>& body, const Environment& environment) {
  Environment here = environment;
  here.path.push_back(0);
  for (const Statement& statement : body) {
    execute(run, statement, here);
    ++here.path.back();
  }
}

// More than a program uses.
constexpr std::size_t kStackOfProgram = std::size_t{64} << 10U;

[[gnu::noinline]] void walk_below(const Frame& frame, const Environment& environment) {
  void* volatile room = alloca(frame.stack_room);
  static_cast<void>(room);
  walk(frame.run, frame.statement.body, environment);
}

std::vector<PlacedObject> run_program(const Program& program, std::size_t number, bool locals_on_stack) {
  auto& memory = *new (std::align_val_t{16}) SharedMemory{};
  Run run{program, memory, locals_on_stack};
  for (auto& variable : memory.variables) place(run, {}, variable, kVariableBytes);
  for (auto& handle : memory.handles) {
    construct_handle(handle);
    place(run, {}, handle, kHandleBytes);
  }
  const Statement as_task{Op::async, {}, {}, {}, 0, 0, {}, {}, program.body};
  run_in_finish(*new Frame{run, as_task, {}, number * kStackOfProgram});

  for (auto& handle : memory.handles) destroy_handle(*reinterpret_cast<Handle*>(handle));
  for (unsigned char* const box : run.boxes) {
    for (int i = 0; box != nullptr && i < kBoxHandles; ++i) {
      destroy_handle(*reinterpret_cast<Handle*>(box + i * kHandleBytes));
    }
  }
  std::vector<PlacedObject> objects = run.made.in_order();
  for (const PlacedObject& object : objects) heap_of_earlier_programs.insert(object.address, object.size);
  return objects;
}

}  // namespace

void run_in_region(const Frame& frame, region& made) {
  Environment environment = frame.environment;
  environment.in = &made;
  walk(frame.run, frame.statement.body, environment);
}

void run_handler(const Frame& frame) {
  access(frame.run, frame.statement, frame.statement.count == kWrites, frame.environment);
}

void run_here(const Frame& frame) { walk(frame.run, frame.statement.body, frame.environment); }

void run_task(const Frame& frame, Handle* first, Handle* second, int index) {
  Environment environment = frame.environment;
  environment.captures = {first, second};
  if (frame.statement.op != Op::post) environment.in = nullptr;
  if (index != kSameIndex) {
    environment.index = index;
    environment.path.push_back(index);
  }
  if (frame.stack_room != 0) {
    walk_below(frame, environment);
  } else {
    walk(frame.run, frame.statement.body, environment);
  }
}

Handle* find_target(const Frame& frame) { return find(frame.run, frame.statement.target, frame.environment); }

Handle* find_result(const Frame& frame, Handle* first, Handle* second) {
  Environment environment = frame.environment;
  environment.captures = {first, second};
  return find(frame.run, frame.statement.source, environment);
}

}  // namespace anyorder::differential

int main(int argc, char** argv) {
  using namespace anyorder::differential;
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s <programs> <map>\n", argv[0]);
    return 64;
  }
  constexpr unsigned kSecondsAtMost = 120;
  alarm(kSecondsAtMost);  // a program that hangs is a finding, too
  try {
    const std::vector<Program> programs = read_programs_from(argv[1]);
    MemoryMap map(programs.size());
    const bool in_parallel = anyorder::configuration().run == anyorder::executor::parallel;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      map[i] = run_program(programs[i], i, !in_parallel || programs.size() == 1);
    }
    write_memory_map(argv[2], map);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "interpret_differential: %s\n", error.what());
    return 70;
  }
  return 0;
}
