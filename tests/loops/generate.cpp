#include "generate.hpp"

#include <sstream>

#include "statements.hpp"

namespace anyorder::loops {
namespace {

// Two sets of bounds: with loops of no, one or two iterations, and with longer ones.
struct Bounds {
  std::array<int, 4> shorter;
  std::array<int, 4> longer;
};

Bounds choose_bounds(Dice& dice) {
  Bounds bounds{};
  for (std::size_t i = 0; i < 3; ++i) {
    bounds.shorter.at(i) = dice.percent(6) ? -1 : dice.below(3);
    bounds.longer.at(i) = dice.percent(15) ? dice.between(5, 9) : dice.between(1, 4);
  }
  bounds.shorter[3] = dice.between(1, 3);
  bounds.longer[3] = dice.between(1, 3);
  return bounds;
}

std::vector<Number> parameters(const Bounds& bounds) {
  static constexpr std::array kNames{"n", "m", "s", "t"};
  std::vector<Number> numbers;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const auto [low, high] = std::minmax(bounds.shorter.at(i), bounds.longer.at(i));
    numbers.push_back({kNames.at(i), {low, high}});
  }
  return numbers;
}

std::string list(const std::array<int, 4>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "{" : ", ") + std::to_string(number);
  return text + "}";
}

int rounded_up(int bytes) { return (bytes + 15) / 16 * 16; }

// Its array and its function; returns its entry in the table.
std::string print_case(std::ostream& out, Dice& dice, int number) {
  const auto id = std::to_string(number);
  Habits habits{};
  habits.is_on_one_line = dice.percent(30);
  habits.is_plain = dice.percent(40);
  habits.is_tidy = habits.is_plain && dice.percent(60);
  if (!habits.is_plain) {
    habits.has_own_memory = dice.percent(12);
    habits.makes_tasks = dice.percent(45) || habits.has_own_memory;
    habits.leaves_early = dice.percent(35);
    habits.calls = dice.percent(40);
    habits.throws = habits.calls && dice.percent(50);
    habits.keeps_sum_outside = habits.throws && dice.percent(60);
  }
  const Bounds bounds = choose_bounds(dice);
  Places places(dice);
  Statements statements(dice, places, habits, parameters(bounds));
  const auto body = statements.body();
  const View& p = places.first();
  const View& q = places.second();
  const int common = rounded_up(places.bytes() + dice.below(3));
  const int bytes = common + (habits.has_own_memory ? kOwnBytes : 0);
  const auto cast = [](const View& view, const char* from) {
    return "  auto* const " + view.name + " = reinterpret_cast<" + view.element + "*>(" + from + ");\n";
  };
  out << "alignas(16) Byte shared_" << id << "[" << bytes * (habits.makes_tasks ? 6 : 4) << "];\n"
      << "static void work_" << id
      << "(Byte* first, Byte* second, Byte* own, int n, int m, int s, int t, Sum& outside) {\n"
      << cast(p, "first") << cast(q, "second")
      << (habits.keeps_sum_outside ? "  Sum& sum = outside;\n" : "  Sum sum;\n") << body << "\n}\n\n";
  std::ostringstream entry;
  entry << "{&work_" << id << ", shared_" << id << ", " << bytes << ", " << common << ", " << p.begin << ", "
        << q.begin << ", " << habits.makes_tasks << ", " << p.is_floating << ", " << dice.percent(50) << ", {"
        << list(bounds.shorter) << ", " << list(bounds.longer) << "}}";
  return entry.str();
}

}  // namespace

std::string program(std::uint64_t seed, int cases) {
  Dice dice(seed);
  std::ostringstream out;
  out << "using namespace loops;\n\n";
  std::string table;
  for (int i = 0; i < cases; ++i) table += "  " + print_case(out, dice, i) + ",\n";
  out << "const Case kCases[] = {\n" << table << "};\nint main() { run_all(kCases, " << cases << "); }\n";
  return out.str();
}

}  // namespace anyorder::loops
