// An exception comes out of get, after all that the task has done.
#include <stdexcept>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;

int main() {
  ao::finish([] {
    const auto failing = ao::async_future([]() -> int {
      x = 1;
      throw std::runtime_error("failed");
    });
    try {
      failing.get();
    } catch (const std::runtime_error&) {
      x += 1;
    }
  });
  return x == 2 ? 0 : 1;
}
