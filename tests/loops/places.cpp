#include "places.hpp"

namespace anyorder::loops {
namespace {

// So that what a function accesses often overlaps, and reports stay short.
constexpr int kMostElementsApart = 16;

struct Element {
  const char* name;
  int bytes;
};
constexpr std::array kIntegers{Element{"I1", 1}, Element{"I2", 2}, Element{"I4", 4}, Element{"I8", 8}};
constexpr std::array kUnaligned{Element{"I1", 1}, Element{"U2", 2}, Element{"U4", 4}, Element{"U8", 8}};
constexpr std::array kFloating{Element{"float", 4}, Element{"double", 8}};

View view(const char* name, const Element& element, int begin) {
  return {name, element.name, element.bytes, begin, false, false};
}

}  // namespace

Places::Places(Dice& dice) : dice_(dice) {
  const int kind = dice.below(100);
  if (kind < 35) {
    first_ = view("p", dice.one_of(kUnaligned), 0);
    second_ = view("q", dice.one_of(kUnaligned), 0);
    first_.begin = dice.below(9);
    second_.begin = dice.below(9);
    return;
  }
  const Element element = kind < 80   ? dice.one_of(kIntegers)
                          : kind < 90 ? dice.one_of(kFloating)
                                      : Element{"Point", 16};
  first_ = view("p", element, dice.below(3) * element.bytes);
  second_ = view("q", element, dice.percent(50) ? first_.begin : dice.below(5) * element.bytes);
  first_.is_floating = second_.is_floating = kind >= 80 && kind < 90;
  first_.is_struct = second_.is_struct = kind >= 90;
}

std::string Places::index(const View& view, const std::vector<Number>& variables,
                          const std::vector<Number>& factors, int more) {
  static constexpr std::array kFactors{1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -2, 2, 3, 4, 8};
  std::string text;
  Interval values{0, 0};
  for (const Number& variable : variables) {
    const bool is_next = is_tidy_ && &variable == &variables.back();
    if (!is_next && dice_.percent(15)) continue;
    const int fixed = is_next ? 1 : dice_.one_of(kFactors);
    const Number factor = !is_next && !factors.empty() && dice_.percent(15)
                              ? dice_.one_of(factors)
                              : Number{std::to_string(fixed), {fixed, fixed}};
    const Interval sum = values + variable.values * factor.values;
    if (sum.high - sum.low > kMostElementsApart) continue;
    values = sum;
    text += factor.text == "1" ? variable.text : variable.text + " * " + factor.text;
    text += " + ";
  }
  const int offset = dice_.below(4) - values.low;
  reach(view, values.high + offset + more + 1);
  return text + std::to_string(offset);
}

std::string Places::member(const View& view) {
  static constexpr std::array kMembers{".x", ".y", ".z", ".w"};
  return view.is_struct ? dice_.one_of(kMembers) : "";
}

}  // namespace anyorder::loops
