// All handles of a vector are got but the last.
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int part[6];

int main() {
  int sum = 0;
  ao::finish([&] {
    std::vector<ao::future<void>> done;
    for (int i = 0; i < 6; ++i) {
      done.push_back(ao::async_future([i] { part[i] = i; }));  // RACE(a): write
    }
    done.pop_back();
    for (const auto& handle : done) handle.get();
    for (int i = 0; i < 6; ++i) sum += part[i];  // RACE(a): read
  });
  return sum < 0 ? 1 : 0;
}
