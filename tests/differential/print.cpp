#include "print.hpp"

#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace anyorder::differential {
namespace {

// What every printed program stands on. The bookkeeping is not checked: it is not part of the program.
constexpr std::string_view kPrelude = R"(#include <anyorder/anyorder.hpp>

#include <alloca.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace ao = anyorder;

struct Value { ao::future<Value> handle; };
using Handle = ao::future<Value>;
struct Box { Handle handle[2]; };

#define BOOKKEEPING ANYORDER_UNCHECKED __attribute__((noinline))

struct Placed { int program; const void* at; int size; };
static Placed placed[100000];
static int placed_count = 0;
static int running_program = 0;
BOOKKEEPING void place(const void* at, int size) { placed[placed_count++] = {running_program, at, size}; }

// The blocks and boxes that a program has at the moment.
struct Slots { unsigned char* block[4]; int size[4]; Box* box[2]; };
BOOKKEEPING bool has_block(Slots& slots, int i) { return slots.block[i] != nullptr; }
BOOKKEEPING unsigned char* bytes_of_block(Slots& slots, int i, int offset, int size) {
  return slots.block[i] != nullptr && offset + size <= slots.size[i] ? slots.block[i] + offset : nullptr;
}
BOOKKEEPING void set_block(Slots& slots, int i, void* block, int size) {
  slots.block[i] = static_cast<unsigned char*>(block);
  slots.size[i] = size;
  place(block, size);
}
BOOKKEEPING void* take_block(Slots& slots, int i) {
  void* const block = slots.block[i];
  slots.block[i] = nullptr;
  return block;
}
BOOKKEEPING bool has_box(Slots& slots, int i) { return slots.box[i] != nullptr; }
BOOKKEEPING Handle* boxed(Slots& slots, int i, int element) {
  return slots.box[i] != nullptr ? reinterpret_cast<Handle*>(slots.box[i]) + element : nullptr;
}
BOOKKEEPING void set_box(Slots& slots, int i, Box* box) {
  slots.box[i] = box;
  place(box, sizeof(Box));
}
BOOKKEEPING Box* take_box(Slots& slots, int i) {
  Box* const box = slots.box[i];
  slots.box[i] = nullptr;
  return box;
}
BOOKKEEPING bool is_set(const Handle* handle) {
  return handle != nullptr && *reinterpret_cast<void* const volatile*>(handle) != nullptr;
}

#define ACCESS inline __attribute__((always_inline))
ACCESS Handle copy_of(const Handle* handle) { return handle != nullptr ? *handle : Handle(); }

template <class T> struct __attribute__((packed)) Unaligned { T value; };
template <class T> ACCESS void read_as(const void* at) {
  const T value = *static_cast<const T*>(at);
  asm volatile("" : : "m"(value));
}
template <class T> ACCESS void write_as(void* at) { *static_cast<T*>(at) = T{}; }
template <class T> ACCESS void read(const void* at) {
  if (reinterpret_cast<std::uintptr_t>(at) % sizeof(T) == 0) read_as<T>(at); else read_as<Unaligned<T>>(at);
}
template <class T> ACCESS void write(void* at) {
  if (reinterpret_cast<std::uintptr_t>(at) % sizeof(T) == 0) write_as<T>(at); else write_as<Unaligned<T>>(at);
}
template <int N> ACCESS void read_range(const void* at) {
  char copy[N];
  std::memcpy(copy, at, N);
  asm volatile("" : : "r"(&copy) : "memory");
}
template <int N> ACCESS void write_range(void* at) {
  std::memset(at, 1, N);
  asm volatile("" : : : "memory");
}
using Bytes16 = long long __attribute__((vector_size(16)));
)";

constexpr std::string_view kMain = R"(
// Each program has its own part of the stack, so that an address tells whose it is.
static __attribute__((noinline)) void run_below(std::size_t bytes, void (*run)()) {
  void* volatile room = alloca(bytes + 1);
  static_cast<void>(room);
  run();
}

int main(int argc, char** argv) {
  for (const auto& program : programs) {
    program.begin();
    ao::finish([&] { ao::async([&] { run_below(running_program * 65536UL, program.run); }); });
    ++running_program;
  }
  if (argc < 2) return 0;
  std::FILE* const map = std::fopen(argv[1], "w");
  if (map == nullptr) return 1;
  for (int i = 0; i < placed_count; ++i) {
    std::fprintf(map, "%d %llu %d\n", placed[i].program,
                 static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(placed[i].at)), placed[i].size);
  }
  std::fputs("end\n", map);
  return std::fclose(map) == 0 ? 0 : 1;
}
)";

// What is in scope where a statement is printed.
struct Scope {
  std::vector<std::pair<int, std::string>> locals;  // the number of each and its name; the innermost last
  std::string index;                                // of the innermost loop; empty: none
  std::size_t captured = 0;                         // c0…
  std::string region;                               // that the task may use; empty: none
};

class Printer {
 public:
  explicit Printer(std::ostream& out) : out_(out) {}

  void program(const Program& program, std::size_t number) {
    out_ << "\n// " << program.name << "\nnamespace program_" << number << " {\n"
         << "alignas(16) unsigned char v[" << kVariables << "][" << kVariableBytes << "];\nHandle h["
         << kHandles << "];\nchar o[" << kObjects << "];\nSlots slots;\n"
         << "void begin() {\n  for (auto& variable : v) place(variable, sizeof variable);\n"
         << "  for (auto& handle : h) place(&handle, sizeof handle);\n}\nvoid run() {\n";
    body(program.body, Scope{}, 1);
    out_ << "}\n}\n";
  }

 private:
  std::ostream& line(int depth) { return out_ << std::string(static_cast<std::size_t>(depth) * 2, ' '); }
  std::string fresh(std::string_view stem) { return std::string(stem).append(std::to_string(names_++)); }

  void body(const std::vector<Statement>& statements, const Scope& scope, int depth) {
    for (const Statement& statement : statements) print(statement, scope, depth);
  }

  // A pointer to the handle; null where there is none.
  static std::string pointer(const HandlePlace& place, const Scope& scope) {
    std::ostringstream text;
    switch (place.kind) {
      case HandleKind::shared:
        text << "&h[" << place.index << "]";
        break;
      case HandleKind::boxed:
        text << "boxed(slots, " << place.index << ", " << place.element << ")";
        break;
      case HandleKind::captured:
        if (static_cast<std::size_t>(place.index) < scope.captured) {
          text << "&c" << place.index;
          break;
        }
        [[fallthrough]];
      case HandleKind::none:
        text << "static_cast<Handle*>(nullptr)";
        break;
    }
    return text.str();
  }

  // The captures of a task: locals by reference, all else by value.
  static std::string captures(const Statement& statement, const Scope& scope) {
    std::ostringstream text;
    const char* separator = "";
    text << '[';
    for (const auto& [number, name] : scope.locals) text << std::exchange(separator, ", ") << '&' << name;
    if (!scope.index.empty()) text << std::exchange(separator, ", ") << scope.index;
    if (statement.op == Op::post) text << std::exchange(separator, ", ") << '&' << scope.region;
    for (std::size_t i = 0; i < statement.captures.size(); ++i) {
      const HandlePlace& from = statement.captures[i];
      text << std::exchange(separator, ", ") << 'c' << i << " = ";
      if (from.kind == HandleKind::shared) {
        text << "h[" << from.index << "]";
      } else {
        text << "copy_of(" << pointer(from, scope) << ")";
      }
    }
    text << ']';
    return text.str();
  }
  static Scope inside(const Statement& task, Scope scope) {
    scope.captured = task.captures.size();
    if (task.op != Op::post) scope.region.clear();
    return scope;
  }

  static std::string name_of_access(const Statement& statement) {
    std::ostringstream text;
    text << (statement.op == Op::read ? "read" : "write");
    switch (statement.range.size) {
      case 1:
      case 2:
      case 4:
      case 8:
        text << "<std::uint" << statement.range.size * 8 << "_t>";
        break;
      case 16:
        text << "<Bytes16>";
        break;
      default:
        text << "_range<" << statement.range.size << ">";
        break;
    }
    return text.str();
  }

  void access(const Statement& statement, const Scope& scope, int depth) {
    const Range& range = statement.range;
    const bool moves = range.stride != 0 && !scope.index.empty();
    std::string offset = std::to_string(range.offset);
    if (moves) offset.append(" + ").append(std::to_string(range.stride)).append(" * ").append(scope.index);
    const std::string function = name_of_access(statement);
    if (range.storage == Storage::block) {
      line(depth) << "if (unsigned char* const p = bytes_of_block(slots, " << range.index << ", " << offset
                  << ", " << range.size << ")) " << function << "(p);\n";
      return;
    }
    std::string object = std::string("v[").append(std::to_string(range.index)).append("]");
    int size = kVariableBytes;
    if (range.storage == Storage::local) {
      size = kLocalBytes;
      object.clear();
      for (const auto& [number, name] : scope.locals) {
        if (number == range.index) object = name;
      }
    }
    if (object.empty() || (!moves && range.offset + range.size > size)) {
      line(depth) << "// nothing there to " << (statement.op == Op::read ? "read" : "write") << '\n';
      return;
    }
    line(depth);
    if (moves) out_ << "if (" << offset << " + " << range.size << " <= " << size << ") ";
    out_ << function << "(" << object << " + " << offset << ");\n";
  }

  void loop(const Statement& statement, const Scope& scope, int depth) {
    Scope in_body = inside(statement, scope);
    in_body.index = fresh("i");
    line(depth) << (statement.op == Op::forall ? "ao::forall(0, " : "ao::forasync(0, ") << statement.count
                << ", " << captures(statement, scope) << "(int " << in_body.index << ") {\n";
    body(statement.body, in_body, depth + 1);
    line(depth + 1) << "static_cast<void>(" << in_body.index << ");\n";
    line(depth) << "});\n";
  }

  void future(const Statement& statement, const Scope& scope, int depth) {
    const Scope in_body = inside(statement, scope);
    line(depth) << "{\n";
    line(depth + 1) << "Handle made = ao::async_future(" << captures(statement, scope) << "() -> Value {\n";
    body(statement.body, in_body, depth + 2);
    line(depth + 2) << "Value value;\n";
    if (statement.source.kind != HandleKind::none) {
      line(depth + 2) << "if (const Handle* const result = " << pointer(statement.source, in_body)
                      << ") value.handle = *result;\n";
    }
    line(depth + 2) << "return value;\n";
    line(depth + 1) << "});\n";
    line(depth + 1) << "if (Handle* const target = " << pointer(statement.target, scope)
                    << ") *target = std::move(made);\n";
    line(depth) << "}\n";
  }

  void post(const Statement& statement, const Scope& scope, int depth) {
    if (scope.region.empty()) {
      line(depth) << "// no region to post into\n";
      return;
    }
    line(depth) << scope.region << ".post(" << captures(statement, scope) << " {\n";
    body(statement.body, inside(statement, scope), depth + 1);
    line(depth + 1) << "return Value();\n";
    line(depth) << "}";
    if (statement.count != 0) {
      const Op op = statement.count == kReads ? Op::read : Op::write;
      out_ << ", " << captures({op}, scope) << "(const Value&) {\n";
      access({op, statement.range}, scope, depth + 1);
      line(depth) << "}";
    }
    out_ << ");\n";
  }

  void get(const Statement& statement, const Scope& scope, int depth) {
    line(depth) << "if (const Handle* const source = " << pointer(statement.source, scope)
                << "; is_set(source)) {\n";
    if (statement.target.kind == HandleKind::none) {
      line(depth + 1) << "source->get();\n";
    } else {
      line(depth + 1) << "const Value& value = source->get();\n";
      line(depth + 1) << "if (Handle* const target = " << pointer(statement.target, scope)
                      << ") *target = value.handle;\n";
    }
    line(depth) << "}\n";
  }

  void pass_on(const Statement& statement, const Scope& scope, int depth) {
    const bool moves = statement.op == Op::move && statement.source.kind != HandleKind::captured;
    line(depth) << "if (" << (moves ? "" : "const ")
                << "Handle* const source = " << pointer(statement.source, scope) << ") {\n";
    line(depth + 1) << "if (Handle* const target = " << pointer(statement.target, scope)
                    << ") *target = " << (moves ? "std::move(*source)" : "*source") << ";\n";
    line(depth) << "}\n";
  }

  void print(const Statement& statement, const Scope& scope, int depth) {
    const int index = statement.index;
    const bool by_malloc = index % 2 == 0;
    switch (statement.op) {
      case Op::read:
      case Op::write:
        access(statement, scope, depth);
        break;
      case Op::async:
        line(depth) << "ao::async(" << captures(statement, scope) << " {\n";
        body(statement.body, inside(statement, scope), depth + 1);
        line(depth) << "});\n";
        break;
      case Op::future:
        future(statement, scope, depth);
        break;
      case Op::region: {
        Scope in_body = scope;
        in_body.region = fresh("r");
        line(depth) << "{\n";
        line(depth + 1) << "ao::region " << in_body.region << ";\n";
        body(statement.body, in_body, depth + 1);
        line(depth) << "}\n";
        break;
      }
      case Op::post:
        post(statement, scope, depth);
        break;
      case Op::await:
        line(depth) << (scope.region.empty() ? "// no region to await" : scope.region + ".await();") << '\n';
        break;
      case Op::finish:
        line(depth) << "ao::finish([&] {\n";
        body(statement.body, scope, depth + 1);
        line(depth) << "});\n";
        break;
      case Op::get:
        get(statement, scope, depth);
        break;
      case Op::copy:
      case Op::move:
        pass_on(statement, scope, depth);
        break;
      case Op::forall:
      case Op::forasync:
        loop(statement, scope, depth);
        break;
      case Op::isolated:
        line(depth) << "ao::isolated(";
        for (const int object : statement.objects) out_ << "&o[" << object << "], ";
        out_ << "[&] {\n";
        body(statement.body, scope, depth + 1);
        line(depth) << "});\n";
        break;
      case Op::allocate:
        line(depth) << "if (!has_block(slots, " << index << ")) set_block(slots, " << index << ", "
                    << (by_malloc ? "std::malloc(" : "::operator new(") << statement.count << "), "
                    << statement.count << ");\n";
        break;
      case Op::release:
        line(depth) << "if (void* const block = take_block(slots, " << index << ")) "
                    << (by_malloc ? "std::free(block);\n" : "::operator delete(block);\n");
        break;
      case Op::box:
        line(depth) << "if (!has_box(slots, " << index << ")) set_box(slots, " << index << ", new Box());\n";
        break;
      case Op::unbox:
        line(depth) << "if (Box* const box = take_box(slots, " << index << ")) delete box;\n";
        break;
      case Op::local: {
        Scope in_body = scope;
        const std::string name = fresh("l");
        std::erase_if(in_body.locals, [&](const auto& other) { return other.first == index; });
        in_body.locals.emplace_back(index, name);
        in_body.region.clear();  // a handler must not outlive the local
        line(depth) << "[&] {\n";
        line(depth + 1) << "alignas(16) unsigned char " << name << "[" << kLocalBytes << "];\n";
        line(depth + 1) << "place(" << name << ", sizeof " << name << ");\n";
        line(depth + 1) << "ao::finish([&] {\n";
        body(statement.body, in_body, depth + 2);
        line(depth + 1) << "});\n";
        line(depth) << "}();\n";
        break;
      }
    }
  }

  std::ostream& out_;
  int names_ = 0;
};

}  // namespace

std::string to_cpp(std::span<const Program> programs) {
  std::ostringstream out;
  out << kPrelude;
  Printer printer(out);
  for (std::size_t i = 0; i < programs.size(); ++i) printer.program(programs[i], i);
  out << "\nstruct Entry { void (*begin)(); void (*run)(); };\nstatic const Entry programs[] = {\n";
  for (std::size_t i = 0; i < programs.size(); ++i) {
    out << "    {&program_" << i << "::begin, &program_" << i << "::run},\n";
  }
  out << "};\n" << kMain;
  return out.str();
}

}  // namespace anyorder::differential
