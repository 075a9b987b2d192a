// Figure 1 of the paper: a race in the order in which the child's section runs first.
// SAYS: write-write race on g .int.
// SAYS: the isolated sections ran in this order:.*:14, of task 1.*:17, of the main task
#include <cstdio>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int g = 0;

int main() {
  ao::finish([] {
    ao::async([] {
      ao::isolated([] {});
      g = 2;
    });
    ao::isolated([] { g = 1; });
  });
  std::printf("g = %d\n", g);
}
