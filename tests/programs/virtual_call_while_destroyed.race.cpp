// One task makes a virtual call on the object that the other deletes.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Base {
  virtual int value() const { return 1; }
  virtual ~Base() = default;  // RACE(a): write
};
struct Derived : Base {
  int value() const override { return 2; }
};

Base* object = nullptr;
int seen = 0;

int main() {
  object = new Base;
  const Derived other;
  ao::finish([] {
    ao::async([] { seen = object->value(); });  // RACE(a): read
    ao::async([] { delete object; });
  });
}
