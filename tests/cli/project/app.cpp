#include <cstdio>

#include <anyorder/anyorder.hpp>

extern "C" int part(int);

int main() {
  int result = 0;
  anyorder::finish([&] { anyorder::async([&] { result = part(20); }); });
  std::printf("%d\n", result);
}
