// As many tasks as its argument says increment a counter.
#include <cstdlib>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main(int /*argc*/, char** argv) {
  int counter = 0;
  ao::forall(0, std::atoi(argv[1]), [&](int) { ao::isolated([&] { ++counter; }); });
}
