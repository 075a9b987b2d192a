// Copies made and dropped in parallel; whoever drops the last frees the object that all have read.
#include <memory>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int out[6];

int main() {
  ao::finish([] {
    auto shared = std::make_shared<std::vector<int>>(10, 3);
    for (int i = 0; i < 6; ++i) {
      ao::async([shared, i] {
        const std::shared_ptr<std::vector<int>> copy = shared;
        out[i] = (*copy)[static_cast<std::size_t>(i)];
      });
    }
    shared.reset();
  });
  return out[0] + out[5] == 6 ? 0 : 1;
}
