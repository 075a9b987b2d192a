// Whoever lets go of one object last and then of another has not destroyed the second: a plain pointer to it
// has no owner that could wait for its use.
#include <memory>
#include <utility>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int sum = 0;

void let_go(std::shared_ptr<int>& owner) {
  owner.reset();  // RACE(a): write
}

int main() {
  ao::finish([] {
    auto first = std::make_shared<int>(1);
    auto second = std::make_shared<int>(2);
    ao::async([first, plain = second.get()] {
      sum += *plain;  // RACE(a): read
    });
    ao::async([first = std::move(first), second]() mutable {
      first.reset();
      let_go(second);
    });
    ao::async([second = std::move(second)]() mutable { let_go(second); });
  });
  return sum == 2 ? 0 : 1;
}
