// SAYS: Not covered: the program changes atomic variables
#include <atomic>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  std::atomic<int> sum{0};
  ao::forall(0, 2, [&](int i) { sum += i; });
}
