// std::cout may be used by all tasks; lines come in any order.
#include <iostream>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main() {
  ao::forall(0, 3, [](int i) { std::cout << "task " << i << '\n'; });
}
