// A result with heap memory in it, read by several tasks; the last handle frees it.
#include <string>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

std::size_t lengths[3];

int main() {
  ao::finish([] {
    const auto words = ao::async_future([] {
      return std::vector<std::string>{"a word that is too long for the small buffer", "b",
                                      "another long word, also on the heap"};
    });
    for (std::size_t i = 0; i < 3; ++i) {
      ao::async([words, i] { lengths[i] = words.get()[i].size(); });
    }
  });
  return lengths[0] + lengths[1] + lengths[2] == 80 ? 0 : 1;
}
