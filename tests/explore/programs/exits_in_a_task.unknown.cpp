// Tasks that would have run are not seen.
// SAYS: Not covered: the program calls exit inside a finish or while tasks are alive
#include <cstdlib>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  ao::finish([] {
    ao::async([] { ao::isolated([] {}); });
    ao::async([] { ao::isolated([] { std::exit(0); }); });
  });
}
