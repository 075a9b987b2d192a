#include "generate.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <sstream>
#include <vector>

namespace anyorder::loops {
namespace {

constexpr const char* kBegin = R"(#include <anyorder/anyorder.hpp>
#include <cmath>
#include <cstdlib>
#include <vector>
namespace ao = anyorder;

// Reaches memory however the function ends.
struct Sum {
  long* to;
  long value = 0;
  ~Sum() { *to += value; }
};
struct Stop {};
struct Point { int x; short y; char z; double w; };

[[gnu::noinline]] void opaque() { asm volatile("" ::: "memory"); }
[[gnu::noinline]] void stop_if(bool now) { if (now) throw Stop(); }
[[gnu::noinline]] int twice(int x) { return 2 * x; }
template <class T> [[gnu::noinline]] long get(const T* p, int i) { return static_cast<long>(p[i]); }
template <class T> [[gnu::noinline]] void set(T* p, int i) { p[i] = static_cast<T>(i); }
volatile int no = 0;  // what the compiler does not know

)";

// The values that an expression may have.
struct Interval {
  int low;
  int high;
};

struct Variable {
  std::string name;
  Interval values;
};

class Case {
 public:
  Case(std::mt19937_64& random, int number) : random_(random), number_(number) {}

  // The functions of the tasks, the arrays and the function that runs them.
  void print(std::ostream& out) {
    static constexpr std::array kTypes{"char", "short", "int", "double", "long", "float", "unsigned char"};
    const auto id = std::to_string(number_);
    const std::string type = kTypes[static_cast<std::size_t>(below(static_cast<int>(kTypes.size())))];
    is_point_ = one_in(8);
    element_ = is_point_ ? "Point" : type;
    for (auto& value : parameters_) value = below(9) - (one_in(10) ? 3 : 0);
    std::ostringstream functions;
    const int tasks = 2 + below(2);
    for (int task = 0; task < tasks; ++task) print_function(functions, task);
    out << "alignas(16) " << element_ << " shared_" << id << "[" << needed_ + below(3) << "];\n"
        << "long sums_" << id << "[" << tasks << "];\n"
        << functions.str() << "void case_" << id << "() {\n  const int n = " << parameters_[0]
        << " + no, m = " << parameters_[1] << " + no, s = " << parameters_[2] << " + no;\n"
        << "  auto* const a = shared_" << id << " + no;\n  ao::finish([=] {\n";
    for (int task = 0; task < tasks; ++task) {
      const bool last = task + 1 == tasks && one_in(2);
      const auto call = "try { work_" + id + "_" + std::to_string(task) + "(a + " +
                        std::to_string(shifts_[task]) + ", a + " + std::to_string(other_shifts_[task]) +
                        ", n, m, s, &sums_" + id + "[" + std::to_string(task) +
                        "]); } catch (const Stop&) {}";
      out << "    " << (last ? "" : "ao::async([=] { ") << call << (last ? "" : " });") << "\n";
    }
    out << "  });\n}\n\n";
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  template <std::size_t N>
  const char* one_of(const std::array<const char*, N>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(N)))];
  }
  std::string indent() const { return std::string(static_cast<std::size_t>(2 * depth_), ' '); }

  void print_function(std::ostream& out, int task) {
    variables_.clear();
    names_ = 0;
    budget_ = 9;
    depth_ = 1;
    shifts_.push_back(below(4));
    other_shifts_.push_back(one_in(2) ? shifts_.back() : below(6));
    out << (one_in(3) ? "static void" : "[[gnu::noinline]] static void") << " work_" << number_ << "_" << task
        << "(" << element_ << "* p, " << element_
        << "* q, int n, int m, int s, long* to) {\n  Sum sum{to};\n";
    shift_ = std::max(shifts_.back(), other_shifts_.back());
    do {
      print_statement(out);
    } while (one_in(2));
    out << "  (void)p, (void)q, (void)n, (void)m, (void)s;\n}\n";
  }

  void print_statement(std::ostream& out) {
    if (--budget_ < 0) return print_access(out);
    const int kind = below(20);
    if (kind < 9 && variables_.size() < 4) {
      print_loop(out);
    } else if (kind < 15) {
      print_access(out);
    } else if (kind < 17) {
      out << indent() << "if (" << condition() << ") {\n";
      print_body(out);
      out << indent() << "}\n";
    } else if (kind < 19 && one_in(2)) {
      print_interruption(out);
    } else if (one_in(3)) {
      print_task(out);
    } else {
      print_access(out);
    }
  }

  void print_body(std::ostream& out) {
    ++depth_;
    for (int i = 1 + below(3); i > 0; --i) print_statement(out);
    --depth_;
  }

  void print_task(std::ostream& out) {
    const bool finish = one_in(2);
    out << indent() << (finish ? "ao::finish([&] { ao::async([=] {\n" : "ao::async([=] {\n");
    out << indent() << "  Sum sum{to};\n";
    ++depth_;
    print_access(out);
    --depth_;
    out << indent() << (finish ? "}); });\n" : "});\n");
  }

  void print_interruption(std::ostream& out) {
    const auto when = condition();
    switch (below(7)) {
      case 0:
        out << indent() << "opaque();\n";
        break;
      case 1:
        out << indent() << "stop_if(" << when << ");\n";
        break;
      case 2:
        out << indent() << "if (" << when << ") return;\n";
        break;
      case 3:
        out << indent() << "sum.value += twice(n) + static_cast<long>(std::sqrt(n + 4.5));\n";
        break;
      case 4:
        out << indent()
            << "{ std::vector<int> own(static_cast<std::size_t>(n < 0 ? 0 : n), 1); for (int x : own) "
            << "sum.value += x; }\n";
        break;
      default:
        if (variables_.empty()) {
          out << indent() << "if (" << when << ") return;\n";
        } else {
          out << indent() << "if (" << when << ") " << (one_in(2) ? "break" : "continue") << ";\n";
        }
    }
  }

  // Something with a value for every iteration; bounds that the loop does not reach are as good as others.
  struct Bound {
    std::string text;
    Interval values;
  };
  Bound bound() {
    if (!variables_.empty() && one_in(3)) {
      const auto& outer = variables_[static_cast<std::size_t>(below(static_cast<int>(variables_.size())))];
      const int more = below(3);
      // With a sign: else a loop downwards to it would not end at -1.
      return {"static_cast<int>(" + outer.name + ") + " + std::to_string(more),
              {outer.values.low + more, outer.values.high + more}};
    }
    if (one_in(3)) {
      const int value = below(7);
      return {std::to_string(value), {value, value}};
    }
    const auto which = static_cast<std::size_t>(below(3));
    static constexpr std::array kNames{"n", "m", "s"};
    return {kNames[which], {parameters_[which], parameters_[which]}};
  }

  void print_loop(std::ostream& out) {
    const auto name = "i" + std::to_string(names_++);
    const Bound from = one_in(2) ? Bound{"0", {0, 0}} : bound();
    const Bound to = bound();
    const int step = one_in(3) ? 1 + below(3) : 1;
    const std::string type = one_in(3) ? "long" : "int";
    const auto by = std::to_string(step);
    Interval values{from.values.low, std::max(from.values.low, to.values.high)};
    switch (below(6)) {
      case 0:  // downwards
        out << indent() << "for (" << type << " " << name << " = " << to.text << " - 1; " << name
            << " >= " << from.text << "; " << name << " -= " << by << ") {\n";
        break;
      case 1:  // at least once
        out << indent() << "for (" << type << " " << name << " = " << from.text << ", go = 1; go; " << name
            << " += " << by << ", go = " << name << " < " << to.text << ") {\n";
        break;
      case 2:  // without a sign, which wraps at another place
        values.low = std::max(values.low, 0);
        values.high = std::max(values.high, 0);
        out << indent() << "for (unsigned " << name << " = " << (from.values.low < 0 ? "0" : from.text)
            << "; " << name << " < static_cast<unsigned>(" << to.text << " < 0 ? 0 : " << to.text << "); "
            << name << " += " << by << ") {\n";
        break;
      default:
        out << indent() << "for (" << type << " " << name << " = " << from.text << "; " << name << " < "
            << to.text << "; " << name << " += " << by << ") {\n";
    }
    variables_.push_back({name, values});
    print_body(out);
    variables_.pop_back();
    out << indent() << "}\n";
  }

  std::string condition() {
    if (!variables_.empty() && one_in(2)) {
      const auto& variable = variables_[static_cast<std::size_t>(below(static_cast<int>(variables_.size())))];
      const auto value = std::to_string(below(6));
      switch (below(3)) {
        case 0:
          return "static_cast<int>(" + variable.name + ") == " + value;
        case 1:
          return "static_cast<int>(" + variable.name + ") % 2 == 0";
        default:
          return "static_cast<int>(" + variable.name + ") > " + value;
      }
    }
    return std::string(one_of(std::array{"n", "m", "s"})) + " > " + std::to_string(below(8));
  }

  // Within the array, which becomes as large as that takes.
  std::string index() {
    std::string text;
    Interval values{0, 0};
    for (const Variable& variable : variables_) {
      if (one_in(4)) continue;
      static constexpr std::array kFactors{1, 1, 1, -1, 2, 3, 8, -2};
      const int factor = kFactors[static_cast<std::size_t>(below(static_cast<int>(kFactors.size())))];
      text += "static_cast<int>(" + variable.name + ") * " + std::to_string(factor) + " + ";
      const int a = factor * variable.values.low;
      const int b = factor * variable.values.high;
      values = {values.low + std::min(a, b), values.high + std::max(a, b)};
    }
    const int offset = below(4) - values.low;
    needed_ = std::max(needed_, values.high + offset + shift_ + 2);
    return text + std::to_string(offset);
  }

  void print_access(std::ostream& out) {
    const std::string array = one_in(3) ? "q" : "p";
    const auto at = index();
    const std::string member =
        is_point_ ? std::string(".") + one_of(std::array{"x", "y", "z", "w"}) : std::string();
    const auto place = array + "[" + at + "]" + member;
    out << indent();
    switch (below(is_point_ ? 4 : 8)) {
      case 0:
        out << place << " = 3;\n";
        break;
      case 1:
        out << place << " += 1;\n";
        break;
      case 4:
        out << "sum.value += get(" << array << ", " << at << ");\n";
        break;
      case 5:
        out << "set(" << array << ", " << at << ");\n";
        break;
      case 6: {
        const auto other = index();
        // Changed, since a compiler leaves out what stores to a place what was there; and used, even if it is
        // overwritten.
        out << "{ const auto value = q[" << other << "]; sum.value += static_cast<long>(value); p[" << at
            << "] = static_cast<" << element_ << ">(value + 1); }\n";
        break;
      }
      case 7: {
        // Of two ranges that begin a little apart, one may be checked in part.
        const int apart = 1 + below(5);
        needed_ += apart;
        const auto further = array + "[" + at + " + " + std::to_string(apart) + "]";
        if (one_in(2)) {
          out << further << " = static_cast<" << element_ << ">(" << place << " + 1);\n";
        } else {
          out << "sum.value += static_cast<long>(" << place << ") + static_cast<long>(" << further << ");\n";
        }
        break;
      }
      default:
        out << "sum.value += static_cast<long>(" << place << ");\n";
    }
  }

  std::mt19937_64& random_;
  int number_;
  std::string element_;
  bool is_point_ = false;
  std::array<int, 3> parameters_{};
  std::vector<int> shifts_;
  std::vector<int> other_shifts_;
  std::vector<Variable> variables_;
  int names_ = 0;
  int shift_ = 0;
  int needed_ = 4;
  int budget_ = 0;
  int depth_ = 0;
};

}  // namespace

std::string program(std::uint64_t seed, int cases) {
  std::mt19937_64 random(seed);
  std::ostringstream out;
  out << kBegin;
  for (int i = 0; i < cases; ++i) Case(random, i).print(out);
  out << "int main() {\n";
  for (int i = 0; i < cases; ++i) out << "  case_" << i << "();\n";
  out << "}\n";
  return out.str();
}

}  // namespace anyorder::loops
