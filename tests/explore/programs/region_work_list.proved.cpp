// A parent that takes results as they come, and posts what follows from them: any choice is right.
#include <cstdio>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int parts[3];
int log_lines = 0;

int main() {
  int sum = 0;
  {
    ao::region r;
    int posted = 0;
    const auto add = [&](int part) { sum += parts[part]; };
    const auto post = [&] {
      const int part = posted++;
      r.post(
          [part] {
            parts[part] = part * part;
            ao::isolated([] { ++log_lines; });
            return part;
          },
          add);
    };
    post();
    post();
    while (r.await_one()) {
      if (posted < 3) post();
    }
  }
  std::printf("%d %d\n", sum, log_lines);
  return sum == 5 && log_lines == 3 ? 0 : 1;
}
// SAYS: proved: no race and no deadlock on any schedule
// SAYS: 20 orders of isolated sections and choices of await_one, 26 states, at most 5 of both
