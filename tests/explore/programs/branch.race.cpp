// The race is in a branch that only some orders of the sections take, on memory that a task has allocated.
// SAYS: race on the int allocated at .*:14
#include <memory>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

int main() {
  int turn = 0;
  std::unique_ptr<int> place;
  ao::finish([&] {
    ao::async([&] {
      ao::isolated([&] {
        place = std::make_unique<int>(1);
        turn = 1;
      });
    });
    for (int i = 0; i != 2; ++i) {
      ao::async([&] {
        int* seen = nullptr;
        ao::isolated([&] {
          if (turn++ != 0) seen = place.get();
        });
        if (seen != nullptr) *seen = 2;
      });
    }
  });
}
