#include "accesses.hpp"

namespace anyorder::loops {
namespace {

std::string read(const std::string& text) { return "sum.see(" + text + ");\n"; }

const Number kOne{"1", {1, 1}};

// Whatever the number is.
std::string condition_on(const View& view, const std::string& text) {
  return view.is_floating ? text + " < 2" : "(" + text + " & 3) == 1";
}

}  // namespace

std::string Accesses::plain(const std::vector<Number>& variables, const std::vector<Number>& factors) {
  variables_ = &variables;
  factors_ = &factors;
  const int kind = dice_.below(100);
  if (kind < 50) return neighbours();
  if (kind < 62) return pieces();
  if (kind < 70) return overlapping(variables);
  const Place one = place();
  if (kind < 78) return read(one.text);
  if (kind < 90) return write(one.text);
  return kind < 95 ? read(one.text) + write(one.text) : write(one.text) + read(one.text);
}

std::string Accesses::access(const std::vector<Number>& variables, const std::vector<Number>& factors) {
  if (dice_.percent(50)) return plain(variables, factors);
  variables_ = &variables;
  factors_ = &factors;
  const int kind = dice_.below(100);
  if (kind < 20) return conditional();
  if (kind < 32) return indirect();
  if (kind < 45) return copy();
  if (kind < 65) return by_call();
  if (kind < 75) return by_inlined_loop();
  const Place one = place();
  if (kind < 80) return read("*const_cast<const volatile " + type(one) + "*>(&" + one.text + ")");
  const Place from = place();
  return "{ const auto value = sum.see(" + from.text + ");\n" + one.text + " = static_cast<" + type(one) +
         ">(value + 1); }\n";
}

std::string Accesses::around(const std::vector<Number>& variables,
                             const std::function<Interruption(const std::string&, int)>& interrupt) {
  static const std::vector<Number> kNone;
  variables_ = &variables;
  factors_ = &kNone;
  const Place one = place(2);
  const auto member = places_.member(one.view);
  const int before = dice_.below(3);
  const int after = dice_.percent(40) ? before : dice_.below(3);
  const int touched = dice_.percent(70) ? after : dice_.below(3);
  const bool writes = dice_.percent(60);
  const auto access = [&](int which, bool as_first) {
    const auto place = element(one, which, member);
    return as_first == writes ? write(place) : read(place);
  };
  const auto [first, between] = interrupt("&" + element(one, touched, {}), one.view.bytes);
  std::string text = first + access(before, true);
  text += between + access(after, dice_.percent(70));
  if (dice_.percent(60)) std::replace(text.begin(), text.end(), '\n', ' ');
  return text + "\n";
}

std::string Accesses::small_read(const std::vector<Number>& variables, int limit) {
  static const std::vector<Number> kNone;
  variables_ = &variables;
  factors_ = &kNone;
  const Place one = place();
  if (one.view.is_floating) return "(sum.see(" + one.text + ") < 2 ? 1 : 0)";
  return "static_cast<int>(sum.see(" + one.text + ") & " + std::to_string(limit - 1) + ")";
}

std::string Accesses::address(const View& view) {
  return "&" + view.name + "[" + places_.index(view, *variables_, {}) + "]";
}

Accesses::Place Accesses::place(int more) {
  const View& view = places_.one();
  Place made{view, places_.index(view, *variables_, *factors_, more), places_.member(view), {}};
  made.text = element(made, 0, made.member);
  return made;
}

std::string Accesses::type(const Place& place) {
  if (!place.view.is_struct) return place.view.element;
  return place.member == ".x" ? "I4" : place.member == ".y" ? "I2" : place.member == ".z" ? "I1" : "I8";
}

std::string Accesses::element(const Place& place, int more, const std::string& member) {
  const auto index = more == 0 ? place.index : place.index + " + " + std::to_string(more);
  return place.view.name + "[" + index + "]" + member;
}

std::string Accesses::write(const std::string& text) {
  const auto value = std::to_string(1 + dice_.below(3));
  return text + (dice_.percent(50) ? " = " : " += ") + value + ";\n";
}

// Elements a little apart, of which some are written, and some only if a parameter is large.
std::string Accesses::neighbours() {
  const int apart = dice_.percent(70) ? 1 : 2;
  const Place one = place(3 * apart);
  const auto member = places_.member(one.view);
  const int writes = dice_.one_of(std::array{0, 30, 50, 100});
  const int conditional = factors_->empty() || dice_.percent(60) ? 0 : 60;
  std::string text;
  for (int i = 2 + dice_.below(3); i > 0; --i) {
    const auto place = element(one, dice_.below(4) * apart, member);
    if (dice_.percent(conditional)) {
      text += "if (" + dice_.one_of(*factors_).text;
      text += " > " + std::to_string(dice_.below(3)) + ") ";
    }
    text += dice_.percent(writes) ? write(place) : read(place);
  }
  return text;
}

// The parts of a step that is as long as they are, in most cases; of a struct its members.
std::string Accesses::pieces() {
  static constexpr std::array kMembers{".x", ".y", ".z", ".w"};
  const View& view = places_.one();
  const int count = view.is_struct ? 4 : 2 + dice_.below(3);
  std::vector<Number> scaled = *variables_;
  if (!view.is_struct && !scaled.empty() && scaled.back().values.high * count < 40) {
    const Interval by{count, count};
    scaled.back() = {scaled.back().text + " * " + std::to_string(count), scaled.back().values * by};
  }
  const Place all{view, places_.index(view, scaled, {}, count), {}, {}};
  const bool reads = dice_.percent(30);
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (dice_.percent(10)) continue;
    const auto part =
        view.is_struct ? element(all, 0, kMembers.at(static_cast<std::size_t>(i))) : element(all, i, "");
    text += reads || dice_.percent(5) ? read(part) : part + " = " + std::to_string(i + 1) + ";\n";
  }
  return text;
}

std::string Accesses::conditional() {
  const Place from = place();
  const Place to = place();
  return "{ const auto value = sum.see(" + from.text + ");\nif (" + condition_on(from.view, "value") + ") " +
         write(to.text) + "}\n";
}

std::string Accesses::indirect() {
  const auto by = small_read(*variables_, 4);
  const Place to = place(3);
  const auto text = to.view.name + "[" + to.index + " + " + by + "]" + places_.member(to.view);
  return dice_.percent(50) ? read(text) : text + " = 2;\n";
}

std::string Accesses::copy() {
  const View& to_view = places_.one();
  const View& from_view = to_view.name == "p" ? places_.second() : places_.first();
  if (to_view.is_struct && dice_.percent(50)) {
    const auto to = address(to_view);
    return "*(" + to + ") = *(" + address(from_view) + ");\nsum.value += sum_of(" + to + ", 16);\n";
  }
  const int elements = 1 + dice_.below(4);
  const int bytes = elements * std::max(to_view.bytes, from_view.bytes);
  const auto to =
      "&p[" + places_.index(places_.first(), *variables_, {}, bytes / places_.first().bytes) + "]";
  if (dice_.percent(40)) {
    // Zero is a number of every type.
    return "__builtin_memset(" + to + ", 0, " +
           (dice_.percent(70) ? std::to_string(bytes) : "static_cast<unsigned>(t)") + ");\n";
  }
  const auto from =
      "&q[" + places_.index(places_.second(), *variables_, {}, bytes / places_.second().bytes) + "]";
  return "__builtin_memmove(" + to + ", " + from + ", " + std::to_string(bytes) + ");\nsum.value += sum_of(" +
         to + ", " + std::to_string(bytes) + ");\n";
}

std::string Accesses::overlapping(const std::vector<Number>& variables) {
  const View& view = places_.one();
  const int elements = 2 + dice_.below(3);
  const auto at = places_.index(view, variables, {}, elements);
  return "__builtin_memset(&" + view.name + "[" + at + "], 0, " +
         std::to_string(elements * view.bytes - dice_.below(view.bytes)) + ");\n";
}

std::string Accesses::by_call() {
  const Place one = place();
  // Templates would take an element for an aligned one.
  if (one.view.is_struct || one.view.element.front() == 'U') {
    return "sum.value += sum_of(&" + one.text + ", sizeof(" + one.text + "));\n";
  }
  const auto arguments = "(" + one.view.name + ", " + one.index + ");\n";
  if (dice_.percent(40)) return "sum.value += get" + arguments;
  return (dice_.percent(50) ? "set" : "bump") + arguments;
}

std::string Accesses::by_inlined_loop() {
  const Number& count = factors_->empty() ? kOne : dice_.one_of(*factors_);
  const Place one = place(std::max(0, count.values.high));
  if (one.view.is_struct || one.view.element.front() == 'U') return read(one.text);
  const auto arguments = "(&" + one.text + ", " + count.text + ");\n";
  return dice_.percent(50) ? "sum.value += total" + arguments : "fill" + arguments;
}

}  // namespace anyorder::loops
