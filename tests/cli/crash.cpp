// A task that crashes, or with an argument ends the program, while another one waits for it.

#include <csignal>
#include <cstdlib>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int main(int count, char** /*words*/) {
  const ao::future<int> ends = ao::async_future([count] {
    if (count > 1) std::exit(5);
    static_cast<void>(std::raise(SIGSEGV));
    return 0;
  });
  return ends.get();
}
