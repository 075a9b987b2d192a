// A finish inside a task says nothing about the task's siblings.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int x = 0;
int seen = 0;

int main() {
  ao::finish([] {
    ao::async([] {
      ao::finish([] { ao::async([] { x = 1; }); });  // RACE(a): write
    });
    ao::async([] { seen = x; });  // RACE(a): read
  });
}
