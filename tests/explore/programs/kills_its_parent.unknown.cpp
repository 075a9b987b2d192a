// Something ends the processes from which runs are copied, as the kernel does when there is no memory left:
// nothing is proved then.
// SAYS: exploration that has lost its processes
#include <csignal>
#include <unistd.h>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int counter = 0;

int main() {
  ao::finish([] {
    for (int i = 0; i != 2; ++i) ao::async([] { ao::isolated([] { ++counter; }); });
  });
  kill(getppid(), SIGKILL);
  pause();
}
