// Races on blocks of plain `new`: whose type is known, and whose type must not be guessed. Each block comes
// from a function of its own, by which the test finds it in the report.
#include <cstdint>
#include <memory>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

namespace {

struct Node {
  int value;
  Node* next;
};
struct Counted {
  ~Counted() { ++destroyed; }
  std::int64_t number = 0;
  static inline int destroyed = 0;
};
// Of one size, so that only the names tell them apart.
struct Inner {
  int outer;
  int more;
};
struct Around {
  struct Inner {
    int inside;
    int more;
  };
};
struct Another {
  int another;
  int more;
};
namespace aliased {
using Thing = Another;
[[gnu::noinline]] int* by_alias() { return &(new Thing{1, 2})->another; }
}  // namespace aliased
struct Thing {
  int thing;
  int more;
};
struct Derived : Around {
  [[gnu::noinline]] int* by_inherited_name() { return &(new Inner{1, 2})->inside; }
};

template <class T>
struct Maker {
  [[gnu::noinline]] T* by_parameter() { return new T(); }
};

[[gnu::noinline]] Node* by_name() { return new Node{1, nullptr}; }
[[gnu::noinline]] Node* by_name_alone() {
  Node* const made = new Node;
  return made;
}
[[gnu::noinline]] Node* by_array(int count) { return new Node[static_cast<unsigned>(count)]; }
[[gnu::noinline]] Node** by_pointers(int count) { return new Node*[static_cast<unsigned>(count)]; }
[[gnu::noinline]] std::uint16_t* by_builtin(int count) {
  return new std::uint16_t[static_cast<unsigned>(count)];
}
[[gnu::noinline]] Counted* by_array_with_count(int count) {
  return new Counted[static_cast<unsigned>(count)];
}
[[gnu::noinline]] std::unique_ptr<Node> by_make_unique() { return std::make_unique<Node>(); }
[[gnu::noinline]] std::shared_ptr<Node> by_make_shared() { return std::make_shared<Node>(); }

template <class F>
void twice(F f) {
  ao::async(f);
  ao::async(f);
}

// Debug information has the types of variables only.
Thing thing;
Inner inner;
Around::Inner around;
Another another;

}  // namespace

int main() {
  thing.thing = inner.outer + around.inside + another.another;
  const auto unique = by_make_unique();
  const auto shared = by_make_shared();
  ao::finish([&] {
    twice([node = by_name()] { node->value = 1; });
    twice([node = by_name_alone()] { node->value = 1; });
    twice([nodes = by_array(3)] { nodes[2].next = nullptr; });
    twice([pointers = by_pointers(4)] { pointers[1] = nullptr; });
    twice([numbers = by_builtin(5)] { numbers[4] = 1; });
    twice([counted = by_array_with_count(2)] { counted[1].number = 1; });
    twice([&] { unique->value = 1; });
    twice([&] { shared->value = 1; });
    twice([node = Maker<Node>().by_parameter()] { node->value = 1; });
    twice([number = aliased::by_alias()] { *number = 1; });
    twice([number = Derived().by_inherited_name()] { *number = 1; });
  });
  return 0;
}
