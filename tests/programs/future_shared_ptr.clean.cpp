// A handle behind a shared_ptr, and one in a struct that is copied into a task.
#include <memory>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Work {
  ao::future<int> handle;
  int factor;
};

int seen_by_pointer = 0;
int seen_by_copy = 0;

int main() {
  ao::finish([] {
    const auto shared = std::make_shared<ao::future<int>>(ao::async_future([] { return 6; }));
    const Work work{*shared, 7};
    ao::async([shared] { seen_by_pointer = shared->get(); });
    ao::async([work] { seen_by_copy = work.handle.get() * work.factor; });
  });
  return seen_by_pointer == 6 && seen_by_copy == 42 ? 0 : 1;
}
