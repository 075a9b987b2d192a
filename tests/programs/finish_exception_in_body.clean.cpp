// The body of the finish throws after it has created tasks, which read its captured locals to the end.
#include <stdexcept>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int result = 0;

int main() {
  int local = 20;
  try {
    ao::finish([&] {
      ao::async([&] { result = local + 1; });
      throw std::runtime_error("from the body");
    });
  } catch (const std::runtime_error&) {
    local += result;
  }
  return local == 41 ? 0 : 1;
}
