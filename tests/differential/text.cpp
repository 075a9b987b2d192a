#include "text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace anyorder::differential {
namespace {

constexpr std::array<std::string_view, 19> kNames{
    "read",     "write",    "async", "future", "finish", "get",   "copy",   "move", "forall", "forasync",
    "isolated", "allocate", "free",  "box",    "unbox",  "local", "region", "post", "await"};
constexpr std::string_view kStorages = "vbl";

[[nodiscard]] std::string_view name_of(Op op) { return kNames[static_cast<std::size_t>(op)]; }

class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}

  void body(const std::vector<Statement>& statements, int depth) {
    out_ << "{\n";
    for (const Statement& statement : statements) line(statement, depth + 1);
    indent(depth) << "}";
  }

 private:
  std::ostream& indent(int depth) { return out_ << std::string(static_cast<std::size_t>(depth) * 2, ' '); }

  void captures(const Statement& statement) {
    if (statement.captures.empty()) return;
    out_ << " [";
    for (std::size_t i = 0; i < statement.captures.size(); ++i) {
      out_ << (i == 0 ? "" : " ") << to_text(statement.captures[i]);
    }
    out_ << "]";
  }

  void range(const Range& range) {
    out_ << ' ' << kStorages[static_cast<std::size_t>(range.storage)] << range.index << ' ' << range.offset
         << ' ' << range.size;
    if (range.stride != 0) out_ << " step " << range.stride;
  }

  void line(const Statement& statement, int depth) {
    indent(depth) << name_of(statement.op);
    switch (statement.op) {
      case Op::read:
      case Op::write:
        range(statement.range);
        break;
      case Op::post:
        if (statement.count == 0) break;
        out_ << (statement.count == kReads ? " then read" : " then write");
        range(statement.range);
        break;
      case Op::future:
        out_ << ' ' << to_text(statement.target);
        break;
      case Op::get:
        out_ << ' ' << to_text(statement.source);
        if (statement.target.kind != HandleKind::none) out_ << " -> " << to_text(statement.target);
        break;
      case Op::copy:
      case Op::move:
        out_ << ' ' << to_text(statement.source) << " -> " << to_text(statement.target);
        break;
      case Op::forall:
      case Op::forasync:
        out_ << ' ' << statement.count;
        break;
      case Op::isolated:
        for (const int object : statement.objects) out_ << " o" << object;
        break;
      case Op::allocate:
        out_ << " b" << statement.index << ' ' << statement.count;
        break;
      case Op::release:
        out_ << " b" << statement.index;
        break;
      case Op::box:
      case Op::unbox:
        out_ << " x" << statement.index;
        break;
      case Op::local:
        out_ << " l" << statement.index;
        break;
      case Op::async:
      case Op::finish:
      case Op::region:
      case Op::await:
        break;
    }
    captures(statement);
    switch (statement.op) {
      case Op::async:
      case Op::future:
      case Op::finish:
      case Op::forall:
      case Op::forasync:
      case Op::isolated:
      case Op::local:
      case Op::region:
      case Op::post:
        out_ << ' ';
        body(statement.body, depth);
        break;
      default:
        break;
    }
    if (statement.op == Op::future && statement.source.kind != HandleKind::none) {
      out_ << " return " << to_text(statement.source);
    }
    out_ << '\n';
  }

  std::ostream& out_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) { advance(); }

  std::vector<Program> programs() {
    std::vector<Program> all;
    while (!token_.empty()) {
      expect("program");
      Program program;
      if (token_ != "{") program.name = take();
      program.body = body();
      all.push_back(std::move(program));
    }
    return all;
  }

 private:
  void advance() {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ == text_.size()) break;
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] != ' ' && text_[at_] != '\n' && text_[at_] != '\t' && text_[at_] != '\r') break;
    }
    std::size_t end = at_;
    constexpr std::string_view kSingle = "{}[]";
    if (end < text_.size() && kSingle.find(text_[end]) != std::string_view::npos) {
      ++end;
    } else {
      end = std::min(text_.find_first_of(" \n\t\r{}[]#", at_), text_.size());
    }
    token_ = text_.substr(at_, end - at_);
    at_ = end;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("line " + std::to_string(line_) + ": " + what + ", not '" + std::string(token_) +
                             "'");
  }
  std::string take() {
    std::string taken(token_);
    advance();
    return taken;
  }
  bool accept(std::string_view wanted) {
    if (token_ != wanted) return false;
    advance();
    return true;
  }
  void expect(std::string_view wanted) {
    if (!accept(wanted)) fail(std::string(wanted).append(" is expected"));
  }

  int number_in(std::string_view digits, int limit) const {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 0 || value >= limit) {
      fail("a number below " + std::to_string(limit) + " is expected");
    }
    return value;
  }
  int number(int limit) {
    const int value = number_in(token_, limit);
    advance();
    return value;
  }
  // A letter and a number: v0, b1…
  int name(char letter, int limit) {
    if (token_.empty() || token_[0] != letter) fail(std::string("a name with ") + letter + " is expected");
    const int value = number_in(token_.substr(1), limit);
    advance();
    return value;
  }
  HandlePlace handle() {
    if (token_.starts_with('h')) return {HandleKind::shared, name('h', kHandles)};
    if (token_.starts_with('c')) return {HandleKind::captured, name('c', kCaptures)};
    const auto dot = token_.find('.');
    if (!token_.starts_with('x') || dot == std::string_view::npos)
      fail("a handle (h0, x0.1, c0) is expected");
    const HandlePlace place{HandleKind::boxed, number_in(token_.substr(1, dot - 1), kBoxes),
                            number_in(token_.substr(dot + 1), kBoxHandles)};
    advance();
    return place;
  }
  HandlePlace handle_that_can_change() {
    if (token_.starts_with('c')) fail("a handle that can be assigned to (h0, x0.1) is expected");
    return handle();
  }
  Range range() {
    Range range;
    if (token_.starts_with('v')) {
      range = {Storage::variable, name('v', kVariables)};
    } else if (token_.starts_with('b')) {
      range = {Storage::block, name('b', kBlocks)};
    } else {
      range = {Storage::local, name('l', kLocals)};
    }
    range.offset = number(kLargestBlock + 1);
    range.size = number(kLargestBlock + 1);
    if (range.size == 0) fail("a range has a byte at least; what follows is expected");
    if (accept("step")) range.stride = number(kLargestBlock + 1);
    return range;
  }
  void captures(Statement& statement) {
    if (!accept("[")) return;
    while (!accept("]")) {
      if (statement.captures.size() == kCaptures) fail("']' is expected");
      statement.captures.push_back(handle());
    }
  }
  std::vector<Statement> body() {
    expect("{");
    std::vector<Statement> statements;
    while (!accept("}")) statements.push_back(statement());
    return statements;
  }

  Op op() {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (token_ == kNames[i]) {
        advance();
        return static_cast<Op>(i);
      }
    }
    fail("a statement is expected");
  }

  Statement statement() {
    Statement s;
    s.op = op();
    switch (s.op) {
      case Op::read:
      case Op::write:
        s.range = range();
        break;
      case Op::async:
        captures(s);
        s.body = body();
        break;
      case Op::future:
        s.target = handle_that_can_change();
        captures(s);
        s.body = body();
        if (accept("return")) s.source = handle();
        break;
      case Op::finish:
      case Op::region:
        s.body = body();
        break;
      case Op::post:
        if (accept("then")) {
          s.count = token_ == "read" ? kReads : kWrites;
          expect(s.count == kReads ? "read" : "write");
          s.range = range();
        }
        captures(s);
        s.body = body();
        break;
      case Op::await:
        break;
      case Op::get:
        s.source = handle();
        if (accept("->")) s.target = handle_that_can_change();
        break;
      case Op::copy:
      case Op::move:
        s.source = handle();
        expect("->");
        s.target = handle_that_can_change();
        break;
      case Op::forall:
      case Op::forasync:
        s.count = number(kLongestLoop + 1);
        captures(s);
        s.body = body();
        break;
      case Op::isolated:
        while (token_ != "{") s.objects.push_back(name('o', kObjects));
        s.body = body();
        for (const Statement& inside : s.body) {
          if (inside.op != Op::read && inside.op != Op::write && inside.op != Op::copy &&
              inside.op != Op::move) {
            fail("only reads, writes, copies and moves are expected in the isolated section above");
          }
        }
        break;
      case Op::allocate:
        s.index = name('b', kBlocks);
        s.count = number(kLargestBlock + 1);
        if (s.count == 0) fail("a block has a byte at least; what follows is expected");
        break;
      case Op::release:
        s.index = name('b', kBlocks);
        break;
      case Op::box:
      case Op::unbox:
        s.index = name('x', kBoxes);
        break;
      case Op::local:
        s.index = name('l', kLocals);
        s.body = body();
        break;
    }
    return s;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::string_view token_;  // empty at the end
};

}  // namespace

std::string to_text(const HandlePlace& place) {
  constexpr std::string_view kLetters = "-hxc";
  std::string text(1, kLetters[static_cast<std::size_t>(place.kind)]);
  text.append(std::to_string(place.index));
  if (place.kind == HandleKind::boxed) text.append(".").append(std::to_string(place.element));
  return text;
}

std::string to_text(const Program& program) {
  std::ostringstream out;
  out << "program " << program.name << (program.name.empty() ? "" : " ");
  Writer(out).body(program.body, 0);
  out << '\n';
  return out.str();
}

std::vector<Program> read_programs(std::string_view text) { return Reader(text).programs(); }

std::vector<Program> read_programs_from(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(path + " cannot be read");
  try {
    return read_programs(text.str());
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

}  // namespace anyorder::differential
