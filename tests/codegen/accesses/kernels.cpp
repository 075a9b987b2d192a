// Loops and blocks that clang would vectorize with wide, odd, masked, gathering or scattering accesses, or
// whose reads it would leave out, for check_accesses to look at. Nothing here runs.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>

namespace {

struct Pair {
  float first, second;
};
struct Mixed {
  int key;
  double value;
};
struct Color {
  std::uint8_t red, green, blue;
};
struct Vector3 {
  float x, y, z;
};
struct Vector4 {
  float x, y, z, w;
};

}  // namespace

// Loops over neighbours, of every element size, also of several at once.

template <class T>
void scale_add(T* __restrict to, const T* __restrict from, T factor, long n) {
  for (long i = 0; i < n; ++i) to[i] = static_cast<T>(to[i] + factor * from[i]);
}
template void scale_add(double*, const double*, double, long);
template void scale_add(float*, const float*, float, long);
template void scale_add(std::int64_t*, const std::int64_t*, std::int64_t, long);
template void scale_add(int*, const int*, int, long);
template void scale_add(std::int16_t*, const std::int16_t*, std::int16_t, long);
template void scale_add(std::int8_t*, const std::int8_t*, std::int8_t, long);

template <class To, class From>
void convert(To* __restrict to, const From* __restrict from, long n) {
  for (long i = 0; i < n; ++i) to[i] = static_cast<To>(from[i]);
}
template void convert(double*, const float*, long);
template void convert(float*, const double*, long);
template void convert(std::int8_t*, const std::int64_t*, long);
template void convert(std::int64_t*, const std::int8_t*, long);
template void convert(float*, const std::uint16_t*, long);
template void convert(bool*, const int*, long);

template <class T>
T sum(const T* from, long n) {
  T all = 0;
  for (long i = 0; i < n; ++i) all = static_cast<T>(all + from[i]);
  return all;
}
template int sum(const int*, long);
template std::int8_t sum(const std::int8_t*, long);
template std::int64_t sum(const std::int64_t*, long);

int distance(const std::uint8_t* a, const std::uint8_t* b, long n) {
  int all = 0;
  for (long i = 0; i < n; ++i) all += a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];
  return all;
}
int largest(const int* from, long n) {
  int most = from[0];
  for (long i = 1; i < n; ++i) most = std::max(most, from[i]);
  return most;
}
void stencil(double* __restrict to, const double* __restrict from, long n) {
  for (long i = 1; i < n - 1; ++i) to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
}
void reverse(int* __restrict to, const int* __restrict from, long n) {
  for (long i = 0; i < n; ++i) to[i] = from[n - 1 - i];
}
void copy(int* to, const int* from, long n) { std::copy(from, from + n, to); }
void fill(std::int16_t* to, std::int16_t value, long n) { std::fill(to, to + n, value); }
void product(double* __restrict c, const double* __restrict a, const double* __restrict b, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

// Strides, which become groups of interleaved accesses, gathers and scatters.

void every_other(float* __restrict to, const float* __restrict from, long n) {
  for (long i = 0; i < n; ++i) to[i] = from[2 * i] + from[2 * i + 1];
}
void interleave(Pair* __restrict to, const float* __restrict a, const float* __restrict b, long n) {
  for (long i = 0; i < n; ++i) to[i] = {a[i], b[i]};
}
void add_colors(Color* __restrict to, const Color* __restrict from, long n) {
  for (long i = 0; i < n; ++i) {
    to[i].red += from[i].red;
    to[i].green += from[i].green;
    to[i].blue += from[i].blue;
  }
}
void add_complex(std::complex<double>* __restrict to, const std::complex<double>* __restrict from, long n) {
  for (long i = 0; i < n; ++i) to[i] += from[i];
}
void clear_values(Mixed* to, long n) {
  for (long i = 0; i < n; ++i) to[i].value = 0;
}
void transpose(double* __restrict to, const double* __restrict from, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) to[i * n + j] = from[j * n + i];
}
void gather(double* __restrict to, const double* __restrict from, const long* __restrict at, long n) {
  for (long i = 0; i < n; ++i) to[i] += from[at[i]];
}
void scatter(float* __restrict to, const float* __restrict from, const int* __restrict at, long n) {
  for (long i = 0; i < n; ++i) to[at[i]] = from[i];
}

// Conditions and remainders, which become masks.

void add_positive(float* __restrict to, const float* __restrict from, long n) {
  for (long i = 0; i < n; ++i)
    if (from[i] > 0) to[i] += from[i];
}
void divide(int* __restrict to, const int* __restrict by, long n) {
  for (long i = 0; i < n; ++i)
    if (by[i] != 0) to[i] /= by[i];
}
__attribute__((cold)) void seldom(float* __restrict to, const float* __restrict from, long n) {
  for (long i = 0; i < n; ++i) to[i] += from[i];
}
__attribute__((minsize)) void small(float* __restrict to, const float* __restrict from, long n) {
  for (long i = 0; i < n; ++i) to[i] += from[i];
}
void thirteen(float* __restrict to, const float* __restrict from) {
  for (int i = 0; i < 13; ++i) to[i] += from[i];
}
__attribute__((target("avx512f,avx512vl"))) void for_another_target(float* __restrict to,
                                                                    const float* __restrict from, long n) {
  for (long i = 0; i < n; ++i)
    if (from[3 * i] > 0) to[i] = from[3 * i];
}

// What pragmas ask for.

void enabled(float* __restrict to, const float* __restrict from, long n) {
#pragma clang loop vectorize(enable)
  for (long i = 0; i < n; ++i) to[i] += from[2 * i];
}
void interleaved(float* __restrict to, const float* __restrict from, long n) {
#pragma clang loop interleave_count(4)
  for (long i = 0; i < n; ++i) to[i] += from[i];
}
void predicated(float* __restrict to, const float* __restrict from, long n) {
#pragma clang loop vectorize(assume_safety) vectorize_predicate(enable)
  for (long i = 0; i < n; ++i) to[i] += from[i];
}
void simd(float* __restrict to, const float* __restrict from, long n) {
#pragma omp simd
  for (long i = 0; i < n; ++i) to[i] += from[i];
}

// Blocks without a loop.

void eight(float* __restrict to, const float* __restrict from) {
  for (int i = 0; i < 8; ++i) to[i] = from[i] * 2;
}
void twelve(std::int8_t* __restrict to, const std::int8_t* __restrict from) {
  for (int i = 0; i < 12; ++i) to[i] = static_cast<std::int8_t>(from[i] ^ 3);
}
void add3(Vector3* to, const Vector3* from) {
  to->x += from->x;
  to->y += from->y;
  to->z += from->z;
}
float dot(const Vector4& a, const Vector4& b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
void four_of(float* __restrict to, const float* __restrict from, const int* __restrict at) {
  to[0] = from[at[0]] + 1;
  to[1] = from[at[1]] + 1;
  to[2] = from[at[2]] + 1;
  to[3] = from[at[3]] + 1;
}

// Reads that a narrower write to the same address follows.

int sum_in_front(int* p) {
  int all = 0;
  for (int i = 0; i < 16; ++i) all += p[i];
  p[0] = all;
  return all;
}
std::uint32_t take(std::uint8_t* bytes) {
  std::uint32_t all = 0;
  std::memcpy(&all, bytes, sizeof all);
  bytes[0] = 0;
  return all;
}
