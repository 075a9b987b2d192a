// Tasks written the way C++ is written: containers, strings, streams, virtual calls, lambdas, exceptions,
// algorithms and smart pointers, all used correctly.
#include <algorithm>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

namespace {

struct Animal {
  explicit Animal(std::string n) : name(std::move(n)) {}
  virtual ~Animal() = default;
  virtual std::string sound() const = 0;
  std::string name;
};
struct Cat final : Animal {
  using Animal::Animal;
  std::string sound() const override { return name + " says: meow, as cats have always done"; }
};
struct Dog final : Animal {
  using Animal::Animal;
  std::string sound() const override { return name + " says: woof"; }
};

// Counts letters, in a map of its own.
std::map<char, int> letters(const std::string& text) {
  std::map<char, int> count;
  for (const char c : text) ++count[c];
  return count;
}

using Value = std::variant<int, std::string, std::vector<double>>;

std::string show(const Value& value) {
  std::ostringstream out;
  std::visit(
      [&](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::vector<double>>) {
          for (const double d : held) out << d << ' ';
        } else {
          out << held;
        }
      },
      value);
  return out.str();
}

std::optional<int> parse(const std::string& text) {
  try {
    return std::stoi(text);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

bool containers() {
  std::list<int> linked{3, 1, 2};
  linked.sort();
  std::deque<int> queue(linked.begin(), linked.end());
  queue.push_front(0);
  std::set<int> unique(queue.begin(), queue.end());
  unique.erase(2);
  std::unordered_map<std::string, std::vector<int>> index;
  for (const int u : unique) index["key " + std::to_string(u % 2)].push_back(u);
  return index.size() == 2 && std::accumulate(queue.begin(), queue.end(), 0) == 6;
}

}  // namespace

int main() {
  bool right = true;
  std::vector<std::unique_ptr<Animal>> zoo;
  zoo.push_back(std::make_unique<Cat>("a cat with a long name"));
  zoo.push_back(std::make_unique<Dog>("a dog with an even longer name"));
  const auto shared = std::make_shared<const std::vector<std::string>>(
      std::initializer_list<std::string>{"12", "no number at all, and quite long", "30"});

  ao::finish([&] {
    std::vector<ao::future<std::string>> sounds;
    for (const auto& animal : zoo) {
      sounds.push_back(ao::async_future([&animal] { return animal->sound(); }));
    }
    const auto counted = ao::async_future([sounds] {
      std::map<char, int> all;
      for (const auto& sound : sounds) {
        for (const auto& [letter, count] : letters(sound.get())) all[letter] += count;
      }
      return all;
    });

    std::vector<std::optional<int>> numbers(shared->size());
    ao::forall(std::size_t{0}, shared->size(),
               [&, shared](std::size_t i) { numbers[i] = parse((*shared)[i]); });
    int sum = 0;
    for (const auto& number : numbers) sum += number.value_or(0);

    std::vector<int> data(300);
    std::iota(data.begin(), data.end(), 0);
    ao::forall(0, 3, [&](int part) {
      const auto begin = data.begin() + 100 * part;
      std::sort(begin, begin + 100, std::greater<>());
      std::transform(begin, begin + 100, begin, [part](int v) { return v * 2 + part; });
    });

    const std::vector<Value> values{1, std::string("two"), std::vector<double>{3.5, 4.5}};
    std::string shown[3];
    bool fine[3] = {};
    ao::forall(std::size_t{0}, values.size(), [&](std::size_t i) {
      shown[i] = show(values[i]);
      fine[i] = containers();
    });

    std::string error;
    try {
      ao::finish(
          [&] { ao::async([] { throw std::out_of_range("thrown in a task, caught outside of it"); }); });
    } catch (const std::exception& caught) {
      error = caught.what();
    }

    const auto [letter, count] =
        *std::max_element(counted.get().begin(), counted.get().end(), [](const auto& a, const auto& b) {
          return std::tie(a.second, a.first) < std::tie(b.second, b.first);
        });
    right = letter == ' ' && count == 20 && sum == 42 && data[0] == 198 && data[299] == 402 &&
            shown[1] == "two" && shown[2] == "3.5 4.5 " && fine[0] && fine[2] && error.size() == 38;
  });
  return right ? 0 : 1;
}
