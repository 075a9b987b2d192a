// Several tasks get the same exception and read it in parallel; whoever lets go last frees it.
#include <array>
#include <cstring>
#include <stdexcept>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::array<std::size_t, 4> lengths{};

int main() {
  ao::finish([] {
    const auto failing = ao::async_future([]() -> int { throw std::runtime_error("failed"); });
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      ao::async([failing, i] {
        try {
          failing.get();
        } catch (const std::runtime_error& error) {
          lengths[i] = std::strlen(error.what());
        }
      });
    }
  });
  for (const std::size_t length : lengths) {
    if (length != 6) return 1;
  }
}
