// Races on objects of all kinds, and how reports name them. A case is a function that is named in a comment
// in front of it, with the words behind "race on" in the headline, up to where compilers differ:
//
//   // OBJECT <case>: <words>
#include <alloca.h>
#include <array>
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

long result;  // what is only written may be no memory at all

template <class F, class G>
void in_parallel(F f, G g) {
  ao::finish([&] {
    ao::async(f);
    g();
  });
}

struct Inner {
  int x;
  int y;
};

struct Flags {
  unsigned a : 3;
  unsigned b : 5;
  int rest;
};
Flags flags[3];
// OBJECT bit_fields: flags[1].{a, b} (bit-fields)
void bit_fields() {
  in_parallel([] { flags[1].a = 1; }, [] { flags[1].b = 2; });
}

union Number {
  int integer;
  char bytes[4];
};
Number number;
// OBJECT member_of_union: number.integer (int)
void member_of_union() {
  in_parallel([] { number.integer = 1; }, [] { number.integer = 2; });
}
struct Tagged {
  int tag;
  union {
    long whole;
    double real;
  };
};
Tagged tagged;
// OBJECT unnamed_union: tagged.whole (long)
void unnamed_union() {
  in_parallel([] { tagged.whole = 1; }, [] { tagged.real = 2; });
}

struct Cell {
  char name;
  std::array<Inner, 4> inners;
};
// OBJECT vector_of_arrays: [2][1].inners[3].y (int) of the std::array<Cell, 3>[5] allocated at objects.cpp:
void vector_of_arrays() {
  std::vector<std::array<Cell, 3>> cells(5);
  in_parallel([&] { cells[2][1].inners[3].y = 1; }, [&] { cells[2][1].inners[3].y = 2; });
}
std::vector<std::vector<double>> grid(4, std::vector<double>(6));
// OBJECT global_vector: [3] (double) of the double[6] allocated at objects.cpp:83 in the initialisation
void global_vector() {
  in_parallel([] { grid[2][3] = 1; }, [] { grid[2][3] = 2; });
}
int matrix[5][9];
// OBJECT array_of_arrays: matrix[3][7] (int)
void array_of_arrays() {
  in_parallel([] { matrix[3][7] = 1; }, [] { matrix[3][7] = 2; });
}

// OBJECT map_node: .second.y (int) of the tree node of std::pair<
void map_node() {
  std::map<int, Inner> table{{1, {}}, {2, {}}};
  in_parallel([&] { table.at(2).y = 1; }, [&] { table.at(2).y = 2; });
}
// OBJECT hash_node: .second.y (int) of the hash node of std::pair<
void hash_node() {
  std::unordered_map<std::string, Inner> table{{"a", {}}, {"b", {}}};
  in_parallel([&] { table.at("b").y = 1; }, [&] { table.at("b").y = 2; });
}
// OBJECT list_node: .y (int) of the list node of Inner allocated at objects.cpp:
void list_node() {
  std::list<Inner> list(3);
  in_parallel([&] { list.front().y = 1; }, [&] { list.front().y = 2; });
}
// OBJECT forward_list_node: .y (int) of the list node of Inner allocated at objects.cpp:
void forward_list_node() {
  std::forward_list<Inner> list(3);
  in_parallel([&] { list.front().y = 1; }, [&] { list.front().y = 2; });
}
// OBJECT deque_element: [4].y (int) of the Inner[64] allocated at objects.cpp:
void deque_element() {
  std::deque<Inner> queue(10);
  in_parallel([&] { queue[4].y = 1; }, [&] { queue[4].y = 2; });
}
// OBJECT set_insert: bytes
void set_insert() {
  std::set<std::string> names;
  in_parallel([&] { names.insert("one"); }, [&] { names.insert("two"); });
}

std::string text = "more than sixteen characters";
std::string word = "short";
// OBJECT long_string: [3] (char) of the char[29] allocated at objects.cpp:
void long_string() {
  in_parallel([] { text[3] = 'x'; }, [] { text[3] = 'y'; });
}
// OBJECT short_string: byte 19 of word (std::string)
void short_string() {
  in_parallel([] { word[3] = 'x'; }, [] { word[3] = 'y'; });
}

int& counter() {
  static int count = 0;
  return count;
}
// OBJECT static_local: counter()::count (int)
void static_local() {
  in_parallel([] { counter() = 1; }, [] { counter() = 2; });
}
struct Settings {
  int level = 0;
  std::string name;
  static Settings* instance;
  static Settings* get() {
    if (instance == nullptr) instance = new Settings;
    return instance;
  }
};
Settings* Settings::instance = nullptr;
// OBJECT singleton: Settings::instance (Settings*)
void singleton() {
  in_parallel([] { Settings::get(); }, [] { Settings::get(); });
}
// OBJECT member_of_singleton: .level (int) of the Settings allocated at objects.cpp:
void member_of_singleton() {
  Settings::get();
  in_parallel([] { Settings::get()->level = 1; }, [] { Settings::get()->level = 2; });
}
namespace {
int hidden[4];
}
// OBJECT unnamed_namespace: (anonymous namespace)::hidden[2] (int)
void unnamed_namespace() {
  in_parallel([] { hidden[2] = 1; }, [] { hidden[2] = 2; });
  result = hidden[2];
}
template <class T>
T shared_value;
// OBJECT variable_template: shared_value<long> (long)
void variable_template() {
  in_parallel([] { shared_value<long> = 1; }, [] { shared_value<long> = 2; });
}
void (*callback)();
// OBJECT function_pointer: callback (void (*)())
void function_pointer() {
  in_parallel([] { callback = singleton; }, [] { callback = nullptr; });
}

// OBJECT loop_variable: i (int), a local of a lambda in loop_variable
void loop_variable() {
  ao::finish([] {
    for (int i = 0; i < 3; ++i) ao::async([&] { hidden[i] = 1; });
  });
}
// OBJECT capture: next.n (int), a local of capture()
void capture() {
  auto next = [n = 0]() mutable { return ++n; };
  in_parallel([&] { next(); }, [&] { next(); });
}
void add(Inner& inner) {
  in_parallel([&] { inner.x = 1; }, [&] { inner.x = 2; });
}
// OBJECT parameter: here.x (int), a local of parameter()
void parameter() {
  Inner here{};
  add(here);
  result = here.x;
}
[[gnu::noinline]] void variable_length(int n) {
  int values[n];
  in_parallel([&] { values[3] = 1; }, [&] { values[3] = 2; });
  result = values[3];
}
// OBJECT array_of_variable_length: a local of variable_length(int) (4 bytes)
void array_of_variable_length() { variable_length(10); }
[[gnu::noinline]] void by_alloca(int n) {
  int* const values = static_cast<int*>(alloca(sizeof(int) * n));
  in_parallel([&] { values[3] = 1; }, [&] { values[3] = 2; });
  result = values[3];
}
// OBJECT from_alloca: a local of by_alloca(int) (4 bytes)
void from_alloca() { by_alloca(10); }

alignas(Inner) char buffer[64];
// OBJECT placement_new: buffer[20..23] (char)
void placement_new() {
  Inner* const inner = new (buffer + 16) Inner{1, 2};
  in_parallel([=] { inner->y = 1; }, [=] { inner->y = 2; });
}
struct Base {
  int x = 0;
  int total = 0;
};
struct Derived : Base {
  int z = 0;
};
Derived derived;
// OBJECT member_of_base: derived.total (int)
void member_of_base() {
  in_parallel([] { derived.total = 1; }, [] { derived.total = 2; });
}
struct Middle : virtual Base {
  int middle = 0;
};
struct Lowest : Middle {
  long lowest = 0;
};
Lowest lowest;
// OBJECT member_of_virtual_base: bytes 28 to 31 of lowest (Lowest)
void member_of_virtual_base() {
  in_parallel([] { lowest.total = 1; }, [] { lowest.total = 2; });
}

// OBJECT made_shared: .y (int) of the shared Inner allocated at objects.cpp:
void made_shared() {
  const auto inner = std::make_shared<Inner>();
  in_parallel([=] { inner->y = 1; }, [=] { inner->y = 2; });
}
// OBJECT made_unique_array: [4] (int) of the int[10] allocated at objects.cpp:
void made_unique_array() {
  const auto row = std::make_unique<int[]>(10);
  in_parallel([&] { row[4] = 1; }, [&] { row[4] = 2; });
}
// OBJECT freed: .y (int) of the Inner allocated at objects.cpp:
void freed() {
  auto* const inner = new Inner{};
  in_parallel([=] { inner->y = 1; }, [=] { delete inner; });
}
// OBJECT from_malloc: offset 12 of a heap block of 40 bytes allocated at objects.cpp:
void from_malloc() {
  int* const values = static_cast<int*>(std::malloc(40));
  in_parallel([=] { values[3] = 1; }, [=] { values[3] = 2; });
  std::free(values);
}
// OBJECT by_function: total (int), a local of by_function()
void by_function() {
  int total = 0;
  const std::function<void(int)> add_to = [&](int by) { total += by; };
  in_parallel([&] { add_to(1); }, [&] { add_to(2); });
  result = total;
}

struct Generator {
  struct promise_type {
    int current = 0;
    Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int value) {
      current = value;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::abort(); }
  };
  std::coroutine_handle<promise_type> handle;
};
Generator numbers() {
  for (int i = 0;; ++i) co_yield i;
}
// OBJECT coroutine: offset 16 of a heap block of
void coroutine() {
  const Generator generator = numbers();
  in_parallel([&] { generator.handle.resume(); }, [&] { generator.handle.resume(); });
  generator.handle.destroy();
}

#define CASE(name) \
  { #name, name }
constexpr std::pair<const char*, void (*)()> kCases[] = {CASE(bit_fields),
                                                         CASE(member_of_union),
                                                         CASE(unnamed_union),
                                                         CASE(vector_of_arrays),
                                                         CASE(global_vector),
                                                         CASE(array_of_arrays),
                                                         CASE(map_node),
                                                         CASE(hash_node),
                                                         CASE(list_node),
                                                         CASE(forward_list_node),
                                                         CASE(deque_element),
                                                         CASE(set_insert),
                                                         CASE(long_string),
                                                         CASE(short_string),
                                                         CASE(static_local),
                                                         CASE(singleton),
                                                         CASE(member_of_singleton),
                                                         CASE(unnamed_namespace),
                                                         CASE(variable_template),
                                                         CASE(function_pointer),
                                                         CASE(loop_variable),
                                                         CASE(capture),
                                                         CASE(parameter),
                                                         CASE(array_of_variable_length),
                                                         CASE(from_alloca),
                                                         CASE(placement_new),
                                                         CASE(member_of_base),
                                                         CASE(member_of_virtual_base),
                                                         CASE(made_shared),
                                                         CASE(made_unique_array),
                                                         CASE(freed),
                                                         CASE(from_malloc),
                                                         CASE(by_function),
                                                         CASE(coroutine)};

int main(int argc, char** argv) {
  for (const auto& [name, function] : kCases) {
    if (argc > 1 && std::strcmp(argv[1], name) == 0) {
      function();
      return 0;
    }
  }
  return 64;
}
