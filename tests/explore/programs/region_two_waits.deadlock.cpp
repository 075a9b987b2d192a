// Each of two tasks waits for the other, and their parent for any one of them.
#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

ao::future<int> a, b;

int main() {
  ao::finish([] {
    const auto other = [](ao::future<int>& handle) {
      return [&handle] {
        const ao::future<int> copy = ao::isolated([&] { return handle; });
        return copy.valid() ? copy.get() : 0;
      };
    };
    const ao::future<int> first = ao::async_future(other(b));
    const ao::future<int> second = ao::async_future(other(a));
    ao::isolated([&] {
      a = first;
      b = second;
    });
    ao::region r;
    r.post([first] { first.get(); });
    r.post([second] { second.get(); });
    r.await_one();
  });
}
// SAYS: deadlock: 2 tasks wait for each other
