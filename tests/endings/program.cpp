// Races (or not), then ends in the way that its arguments say: program <way> [race] [inside], or right behind
// a loop that races: program <way> loop
#undef NDEBUG
#include <cassert>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

int shared;
int other;
int* volatile nowhere;
int looped[64];

void end(const char* way) {
  const auto is = [way](const char* name) { return std::strcmp(way, name) == 0; };
  if (is("crash")) *nowhere = 1;
  if (is("abort")) std::abort();
  if (is("assert")) assert(other == -1);
  if (is("exit")) std::exit(3);
  if (is("_exit")) _exit(4);
  if (is("quick_exit")) std::quick_exit(5);
  if (is("kill")) std::raise(SIGKILL);
  if (is("throw")) throw std::runtime_error("nobody takes this");
  if (is("forever")) {
    for (volatile bool going_on = true; going_on;) {
    }
  }
  if (is("fork")) {
    const pid_t child = fork();
    if (child == 0) {
      shared = 3;
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
  if (is("system") && std::system("true") != 0) std::exit(1);
}

int main(int argc, char** argv) {
  bool race = false;
  bool inside = false;
  bool loop = false;
  for (int i = 2; i < argc; ++i) {
    race = race || std::strcmp(argv[i], "race") == 0;
    inside = inside || std::strcmp(argv[i], "inside") == 0;
    loop = loop || std::strcmp(argv[i], "loop") == 0;
  }
  if (loop) {
    ao::finish([&] {
      ao::async([] { looped[63] = 1; });
      ao::async([&] {
        for (int& one : looped) one = 2;
        end(argv[1]);
      });
    });
  }
  if (race) {
    ao::finish([] {
      ao::async([] { shared = 1; });
      shared = 2;
    });
  }
  if (inside) {
    ao::finish([&] { ao::async([&] { end(argv[1]); }); });
  } else {
    ao::finish([] { ao::async([] { other = 1; }); });
    end(argv[1]);
  }
}
