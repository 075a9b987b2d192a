// So is one that waits for a task.
// SAYS: waits_in_a_section.unknown.cpp:10: get inside an isolated section
// SAYS: the program was ended by SIGABRT
#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  int sum = 0;
  const ao::future<int> one = ao::async_future([] { return 1; });
  ao::isolated([&] { sum += one.get(); });
}
