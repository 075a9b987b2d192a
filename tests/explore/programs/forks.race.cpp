// A child process that the program forks runs tasks of its own. That is no run of the search: the program
// itself has a race, in an order that the child does not come to.
// SAYS: note: A child process that the program forked is not explored
// SAYS: ran in this order:.*of task 2.*of task 1.*this order again
#include <sys/wait.h>
#include <unistd.h>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int first = 0;
int data = 0;

int main() {
  const pid_t child = fork();
  if (child == 0) {
    ao::finish([] { ao::async([] { ao::isolated([] { first = 1; }); }); });
    return 0;
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) return 1;
  ao::finish([] {
    ao::async([] {
      ao::isolated([] {
        if (first == 0) first = 1;
      });
      data = 1;
    });
    ao::async([] {
      if (ao::isolated([] {
            if (first == 0) first = 2;
            return first == 2;
          }))
        data = 2;
    });
  });
}
