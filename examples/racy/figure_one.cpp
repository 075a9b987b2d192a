#include <cstdio>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;
int g = 0;
int main() {
  g = 0;
  ao::finish([] {
    ao::async([] {
      ao::isolated([] {});
      g = 2;
    });
    ao::isolated([] { g = 1; });
  });
  std::printf("%d\n", g);
}
