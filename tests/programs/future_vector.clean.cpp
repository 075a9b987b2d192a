// Handles in a vector, each got before its part is read.
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int part[6];

int main() {
  int sum = 0;
  ao::finish([&] {
    std::vector<ao::future<void>> done;
    for (int i = 0; i < 6; ++i) {
      done.push_back(ao::async_future([i] { part[i] = i; }));
    }
    for (std::size_t i = 0; i < done.size(); ++i) {
      done[i].get();
      sum += part[i];
    }
  });
  return sum == 15 ? 0 : 1;
}
