// Who drops a reference has got the future that uses the shared object, by itself or by another future: the
// destruction by a task outside comes after the use.
#include <memory>
#include <utility>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int seen[2];

int main() {
  ao::finish([] {
    auto shared = std::make_shared<int>(7);
    const auto use = ao::async_future([plain = shared.get()] { seen[0] = *plain; });
    const auto other = ao::async_future([plain = shared.get(), use] {
      use.get();
      seen[1] = *plain;
    });
    ao::async([shared, other]() mutable {
      ao::finish([&] {
        ao::async([mine = std::move(shared), other]() mutable {
          other.get();
          mine.reset();
        });
      });
    });
    ao::async([last = std::move(shared)]() mutable { last.reset(); });
  });
  return seen[0] + seen[1] == 14 ? 0 : 1;
}
