#include <dlfcn.h>

#include "shared.hpp"

int grid[4][8];

struct Inner {
  int before;
  int values[3];
};
struct Board {
  std::vector<Inner> inners;
  double* scores;
  // Inlined.
  void set(int i) {
    inners[i].values[2] = i;  // SITE Board::set(int): this->inners[...].values[2]
    scores[i] = 1;            // SITE Board::set(int): this->scores[...]
  }
};

// There is another one of this name.
int states[2];
[[gnu::noinline]] static void touch() {
  states[0] = 1;  // SITE touch(): states[0]
}

template <class T>
[[gnu::noinline]] void store(T* to, int i) {
  to[i + 1] = T{};  // SITE void store<long>(long*, int): to[...]
}

#define SET(array, i) array[i][3] = 1

// Checked before the loop.
[[gnu::noinline]] void fill(int* values, int n) {
  for (int i = 0; i < n; ++i) {
    values[i] = i;  // SITE fill(int*, int): values[...]
  }
}

volatile int zero;

int main(int, char** arguments) {
  const int one = zero + 1;
  Board board{std::vector<Inner>(3), new double[3]{}};
  auto* const longs = new long[4]{};
  auto* const values = new int[64]{};
  twice([&] {
    board.set(one);  // CALL
  });
  twice([] { touch(); });
  twice([=] { store(longs, one); });
  twice([=] {
    SET(grid, one);  // SITE a lambda in main: grid[...][3]
  });
  twice([&, number = new int(0)] {
    *number = 2;  // SITE a lambda in main: *number
  });
  twice([=] { fill(values, 64); });
  twice([] { count(0); });
  from_other_file();
  from_library();
  // One that is gone when the program ends.
  if (void* const library = dlopen(arguments[1], RTLD_NOW)) {
    reinterpret_cast<void (*)()>(dlsym(library, "from_gone_library"))();
    dlclose(library);
  }
}
