// An exception is one object for all who get it: two tasks that change it race.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Failure {
  int code;
};

int main() {
  ao::finish([] {
    const auto failing = ao::async_future([]() -> int { throw Failure{1}; });
    ao::async([failing] {
      try {
        failing.get();
      } catch (Failure& failure) {
        failure.code = 2;  // RACE(a): write
      }
    });
    ao::async([failing] {
      try {
        failing.get();
      } catch (Failure& failure) {
        failure.code = 3;  // RACE(a): write
      }
    });
  });
}
