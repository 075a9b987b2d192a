#include "statements.hpp"

#include <utility>

namespace anyorder::loops {
namespace {

constexpr std::size_t kDeepest = 3;
constexpr int kMostOwn = 14;  // elements of own memory

Number plus(const Number& number, int more) {
  if (more == 0) return number;
  return {number.text + (more < 0 ? " - " : " + ") + std::to_string(more < 0 ? -more : more),
          number.values + Interval{more, more}};
}

// Then it may be another number each time.
bool is_read(const Number& number) { return number.text.find("sum.see") != std::string::npos; }

Number constant(int value) { return {std::to_string(value), {value, value}}; }

}  // namespace

std::string Statements::body() {
  budget_ = 2 + dice_.below(4);
  std::string text;
  if (habits_.has_own_memory) text += own_memory();
  do {
    text += dice_.percent(70) ? loop() : statement();
  } while (budget_ > 0 && dice_.percent(50));
  if (habits_.is_on_one_line) std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string Statements::block() {
  std::string text;
  for (int i = 1 + dice_.below(3); i > 0; --i) text += statement();
  return text;
}

std::string Statements::statement() {
  if (--budget_ < 0) return access();
  const int kind = dice_.below(100);
  if (kind < 30 && variables_.size() < kDeepest) return loop();
  if (kind < 40 && !habits_.is_tidy) return branch();
  if (kind < 52 && !variables_.empty()) return exception();
  return kind < 78 && !habits_.is_plain ? habit() : access();
}

// One of those that the function has, or an access.
std::string Statements::habit() {
  std::vector<std::string (Statements::*)()> choices;
  if (habits_.makes_tasks) choices.insert(choices.end(), 3, &Statements::task);
  if (habits_.leaves_early) choices.push_back(&Statements::exit);
  if (habits_.throws) choices.push_back(&Statements::attempt);
  if (habits_.calls) choices.insert(choices.end(), 2, &Statements::call);
  if (choices.empty()) return access();
  return (this->*dice_.one_of(choices))();
}

Number Statements::bound() {
  const int kind = dice_.below(100);
  if (kind < 30 && !variables_.empty()) {
    const int more = dice_.below(4) - 1;
    return plus(dice_.one_of(variables_), more);
  }
  if (kind < 52) return constant(dice_.below(5));
  if (kind < 66 && !habits_.is_plain) return {accesses_.small_read(variables_, 4), {0, 3}};
  const auto which = static_cast<std::size_t>(dice_.below(3));
  return plus(parameters_[which], dice_.percent(75) ? 0 : dice_.below(3) - 1);
}

std::string Statements::loop() {
  --budget_;
  if (dice_.percent(8)) return loop_by_pointer();
  static constexpr std::array kTypes{"int", "int", "int", "long", "short"};
  const auto name = "i" + std::to_string(names_++);
  const Number from = dice_.percent(55) ? constant(0) : bound();
  Number to = bound();
  // Few that are never executed.
  for (int i = 0; i < 4 && to.values.high <= from.values.low; ++i) to = bound();
  const Number by = habits_.is_tidy || dice_.percent(70) ? constant(1)
                    : dice_.percent(60)                  ? constant(1 + dice_.below(3))
                                                         : parameters_[3];
  std::string type = dice_.one_of(kTypes);
  Interval values{from.values.low, std::max(from.values.low, to.values.high - 1)};
  const bool has_no_sign = from.values.low >= 0 && to.values.low >= 0;
  const auto begin = "for (" + type + " " + name + " = " + from.text + "; " + name;
  const auto step = "; " + name + " += " + by.text + ") {\n";
  std::string head;
  std::string exit_inside;
  std::string end = "}\n";
  const int kind = habits_.is_tidy ? dice_.between(25, 99) : dice_.below(100);
  if (kind < 18) {  // downwards
    head = "for (" + type + " " + name + " = " + to.text + " - 1; " + name + " >= " + from.text + "; " +
           name + " -= " + by.text + ") {\n";
  } else if (kind < 30) {  // at least once
    values.high = std::max(values.high, from.values.high);
    head = "{ " + type + " " + name + " = " + from.text + "; do {\n";
    end = "} while ((" + name + " += " + by.text + ") < " + to.text + "); }\n";
  } else if (kind < 38 && by.text == "1" && from.values.high <= to.values.low && !is_read(to)) {
    head = begin + " != " + to.text + step;
  } else if (kind < 46 && has_no_sign) {  // which wraps at another place
    type = dice_.percent(60) ? "unsigned" : "I1";
    head = "for (" + type + " " + name + " = " + from.text + "; " + name + " < static_cast<unsigned>(" +
           to.text + ")" + step;
  } else if (kind < 52 && to.values.low >= 0) {
    type = "unsigned";
    values.low = 0;
    values.high = std::max(0, to.values.high - 1);
    head = "for (unsigned " + name + " = " + to.text + "; " + name + "-- > 0;) {\n";
  } else if (kind < 58 && habits_.leaves_early) {  // with a second exit, by what it reads
    const Number variable{"static_cast<int>(" + name + ")", values};
    head = begin + " < " + to.text + " && " + accesses_.small_read({variable}, 8) + " != 5" + step;
  } else if (kind < 70) {  // with its exit in the middle
    values.high = std::max(from.values.high, to.values.high - 1 + by.values.high);
    head = "for (" + type + " " + name + " = " + from.text + ";" + step;
    exit_inside = "if (" + name + " >= " + to.text + ") break;\n";
  } else {
    head = begin + " < " + to.text + step;
  }
  variables_.push_back({type == "int" ? name : "static_cast<int>(" + name + ")", values});
  const bool may_continue = std::exchange(may_continue_, exit_inside.empty());  // not past the exit
  auto inside = block();
  may_continue_ = may_continue;
  if (!exit_inside.empty()) {
    inside += exit_inside;
    inside += dice_.percent(40) ? accesses_.overlapping(variables_) : block();
  }
  variables_.pop_back();
  return head + inside + end;
}

std::string Statements::loop_by_pointer() {
  const auto name = "x" + std::to_string(names_++);
  const View& view = places_.one();
  const Number from = constant(dice_.below(3));
  const Number to = bound();
  const Interval values{from.values.low, std::max(from.values.low, to.values.high - 1)};
  places_.reach(view, values.high + 4);
  const bool downwards = dice_.percent(40);
  const auto begin = view.name + " + " + from.text;
  const auto end = view.name + " + (" + to.text + ")";
  const auto head =
      downwards ? "for (auto* " + name + " = " + end + "; " + name + " > " + begin + ";) { --" + name + ";\n"
                : "for (auto* " + name + " = " + begin + "; " + name + " < " + end + "; ++" + name + ") {\n";
  const auto member = places_.member(view);
  std::string text = dice_.percent(50) ? "sum.see((*" + name + ")" + member + ");\n"
                                       : "(*" + name + ")" + member + " = 2;\n";
  variables_.push_back({"static_cast<int>(" + name + " - " + view.name + ")", values});
  if (dice_.percent(50)) text += statement();
  variables_.pop_back();
  return head + text + "}\n";
}

std::string Statements::condition() {
  static constexpr std::array kTests{" == ", " > ", " < ", " != "};
  const int kind = dice_.below(100);
  std::string number = parameters_[static_cast<std::size_t>(dice_.below(4))].text;
  if (kind < 45 && !variables_.empty()) {
    number = dice_.one_of(variables_).text;
    if (dice_.percent(25)) return number + " % 2 == 0";
  } else if (kind < 60 && !habits_.is_plain) {
    number = accesses_.small_read(variables_, 4);
  }
  number += dice_.one_of(kTests);
  return number + std::to_string(dice_.below(4));
}

std::string Statements::branch() {
  if (dice_.percent(10) && !variables_.empty()) {
    auto text = "switch (" + dice_.one_of(variables_).text + ") {\n";
    for (const auto* const label : {"case 0", "case 1", "case 3", "default"}) {
      text += std::string(label) + ": {\n" + access();
      text += dice_.percent(70) ? "break; }\n" : "}\n";
    }
    return text + "}\n";
  }
  auto text = "if (" + condition() + ") {\n";
  text += block() + "}\n";
  if (dice_.percent(30)) text += "else {\n" + block() + "}\n";
  return text;
}

// All but one iteration, or that one alone.
std::string Statements::exception() {
  const auto& number = dice_.percent(85) ? variables_.back() : dice_.one_of(variables_);
  const Number one = dice_.percent(25)   ? plus(dice_.one_of(variables_), dice_.below(3) - 1)
                     : dice_.percent(35) ? constant(std::max(number.values.low, 0))
                                         : bound();
  const auto is = "if (" + number.text;
  if (may_continue_ && dice_.percent(40)) return is + " == " + one.text + ") continue;\n" + block();
  return is + (dice_.percent(85) ? " != " : " == ") + one.text + ") {\n" + block() + "}\n";
}

std::string Statements::exit() {
  const auto when = "if (" + condition() + ") ";
  if (variables_.empty() || dice_.percent(20)) return when + "return;\n";
  return when + (dice_.percent(65) || !may_continue_ ? "break;\n" : "continue;\n");
}

std::string Statements::attempt() {
  return "try {\n" + block() + "} catch (const Stop&) { sum.value += 1; }\n";
}

std::string Statements::call() {
  if (dice_.percent(40)) return callee();
  return accesses_.around(variables_, [&](const std::string&, int) {
    return Accesses::Interruption{"", callee()};
  });
}

std::string Statements::callee() {
  if (habits_.throws && dice_.percent(50)) return "stop_if(" + condition() + ");\n";
  switch (dice_.below(5)) {
    case 0:
      return "opaque();\n";
    case 1:
      return "atomic_turn();\n";
    case 2:
      return "sum.value += static_cast<I8>(100 / t);\n";
    case 3:
      return "sum.value += static_cast<I8>(__builtin_sqrt(n + 4.5));\n";
    default:
      return "sum.value += static_cast<I8>(twice(m));\n";
  }
}

std::string Statements::task() {
  if (dice_.percent(12)) {
    const auto inside = "Sum sum;\n" + access();
    return dice_.percent(50) ? "anyorder::async([=] {\n" + inside + "});\n"
                             : "anyorder::finish([&] { anyorder::async([=] {\n" + inside + "}); });\n";
  }
  // What has been accessed before in this step is, after a task operation, accessed in another one.
  auto text = accesses_.around(variables_, [&](const std::string& address, int bytes) {
    const auto what =
        address + ", " + std::to_string(dice_.percent(70) ? bytes : 1 + dice_.below(bytes)) + ");\n";
    if (dice_.percent(60)) return Accesses::Interruption{"", touch_by_task() + what};
    return Accesses::Interruption{
        (dice_.percent(60) ? "begin_child(write_all, " : "begin_child(read_all, ") + what, "end_child();\n"};
  });
  if (dice_.percent(70)) return text;
  return "if (" + condition() + ") {\n" + text + "}\n";
}

// A call that makes a task, up to the address of what the task touches.
std::string Statements::touch_by_task() {
  std::string text = dice_.percent(60) ? "spawn" : "spawn_and_wait";
  text += dice_.percent(55) ? "(write_all, " : "(read_all, ";
  return text;
}

// Written before others know of it, then let out, and accessed again.
std::string Statements::own_memory() {
  static constexpr std::array kTypes{"I1", "I2", "I4", "I8"};
  const auto loop = [&](const std::string& access) -> std::string {
    const Number end = bound();
    if (dice_.percent(30)) {  // by comparing addresses
      return "for (auto* x = mine + " + std::to_string(dice_.below(3)) + "; x < mine + (" + end.text +
             ") && x - mine < " + std::to_string(kMostOwn) + "; ++x) { const auto k = x - mine; " + access +
             " }\n";
    }
    return "for (int k = 0; k < " + end.text + " && k < " + std::to_string(kMostOwn) + "; ++k) { " + access +
           " }\n";
  };
  const auto touch = [&](int shift) {
    const auto place = "mine[k + " + std::to_string(shift) + "]";
    return dice_.percent(50) ? place + " = 3;" : "sum.see(" + place + ");";
  };
  const std::string type = dice_.one_of(kTypes);
  const std::string last = std::to_string(dice_.below(4));
  const auto place = dice_.percent(40) ? "after_three(mine, mine + " + last + ")" : "mine + " + last;
  auto out = touch_by_task() + place;
  out += ", sizeof *mine * " + std::to_string(1 + dice_.below(3)) + ");\n";
  auto text = type + "* const mine = reinterpret_cast<" + type + "*>(loops::own_memory(own));\n";
  text += loop(touch(dice_.below(3)));
  if (dice_.percent(20)) text += "after_three(mine, mine + 2);\n";
  if (dice_.percent(30)) {
    const auto access = touch(dice_.below(3));
    text += loop(access + " if (k == " + std::to_string(dice_.below(3)) + ") " + out);
  } else {
    text += dice_.percent(30) ? "if (" + condition() + ") " + out : out;
  }
  return text + loop(touch(dice_.below(3)));
}

}  // namespace anyorder::loops
