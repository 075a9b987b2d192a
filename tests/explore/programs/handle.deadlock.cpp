// A future that gets itself, by a handle that a section has handed to it; only in one order.
// SAYS: deadlock: a task waits for itself
// SAYS: waits for task 1 .get. at .*:19
#include <memory>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

struct Shared {
  ao::future<void> handle;
};

int main() {
  const auto shared = std::make_unique<Shared>();
  ao::finish([&] {
    const ao::future<void> task = ao::async_future([&] {
      ao::future<void> waits_for;
      ao::isolated([&] { waits_for = shared->handle; });
      if (waits_for.valid()) waits_for.get();
    });
    ao::isolated([&] { shared->handle = task; });
  });
}
