// The task that frees has waited for the task that used.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int seen = 0;

int main() {
  int* const block = new int(7);
  ao::finish([&] {
    const auto used = ao::async_future([&] { return seen = *block; });
    ao::async([&, used] {
      used.get();
      delete block;
    });
  });
  return seen == 7 ? 0 : 1;
}
