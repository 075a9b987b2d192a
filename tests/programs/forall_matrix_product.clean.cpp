// Inputs are shared and read, the output is written by one index per row.
#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

constexpr int kSide = 6;
double a[kSide][kSide];
double b[kSide][kSide];
double c[kSide][kSide];

int main() {
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      a[i][j] = i == j ? 2 : 0;
      b[i][j] = i + j;
    }
  }
  ao::forall(0, kSide, [](int i) {
    for (int j = 0; j < kSide; ++j) {
      double sum = 0;
      for (int k = 0; k < kSide; ++k) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  });
  return c[3][4] == 14 ? 0 : 1;
}
