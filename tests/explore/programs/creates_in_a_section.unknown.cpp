// A section that creates a task is an error of the program, with its line.
// SAYS: creates_in_a_section.unknown.cpp:9: async inside an isolated section
// SAYS: the program was ended by SIGABRT
#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  int sum = 0;
  ao::forall(0, 2, [&](int) { ao::isolated([&] { ao::async([&] { ++sum; }); }); });
}
