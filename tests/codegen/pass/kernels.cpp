// Functions of which anyorder's pass is known to leave so many checks of one access, not of ranges:
// <part>_<what>_<all parts on>_<this part off>.
// Of lines that must stay apart, each has a check of its own.
#include <cstring>

struct Four {
  short a, b, c, d;
};
struct Two {
  int a, b;
};

// Not in this file: may do anything with what it gets.
extern "C" void keep(const void* address);
extern "C" int other();
static int sum_of(const Two& two);
static void add_one(int* to);

extern "C" {

// clang-format off
void neighbours_of_one_line_1_4(Four* p) { p->a = 1; p->b = 2; p->c = 3; p->d = 4; }
// clang-format on
void neighbours_of_several_lines_4_4(Four* p) {
  p->a = 1;
  p->b = 2;
  p->c = 3;
  p->d = 4;
}
void neighbours_unrolled_1_8(unsigned char* p, unsigned v) {
  const unsigned w[4] = {v + 1, v + 2, v + 3, v + 4};
  for (int i = 0; i < 4; ++i) {
    p[2 * i] = static_cast<unsigned char>(w[i]);
    p[2 * i + 1] = static_cast<unsigned char>(w[i] >> 8U);
  }
}
// What comes after a call that may be a task operation is of another step.
// clang-format off
void neighbours_of_two_steps_4_4(Four* p) { p->a = 1; keep(nullptr); p->b = 2; keep(nullptr); p->c = 3; keep(nullptr); p->d = 4; }
// What is accessed on some ways only is no part of the first check.
void neighbours_on_some_ways_2_2(Two* p, int x) { p->a = 1; if (x > other()) p->b = 2; }
// clang-format on

// What fills a word, whatever its lines.
void groups_of_a_word_1_4(Four* p) {
  p->a = 1;
  p->b = 2;
  p->c = 3;
  p->d = 4;
}
int groups_of_two_words_2_4(const Two* p) {
  int sum = p[0].a;
  sum ^= 3 * p[0].b;
  sum += 5 * p[1].b;
  return sum ^ p[1].a;
}
// What comes first is the check of all, although there are several ways between.
int groups_behind_a_choice_1_2(const Two* p) {
  int sum = p->b;
  if (sum > 5) sum = sum * sum % 7;
  return sum + p->a;
}
// A word's end is another word's begin.
int groups_of_neighbours_2_3(const Two* p) {
  int sum = p[0].b;
  sum ^= 3 * p[1].a;
  return sum - 5 * p[1].b;
}
// Half a word, reads and writes, two steps, some ways only, or two ways: each is by itself.
int groups_of_too_little_2_2(const Four* p) {
  const int sum = p->a;
  return sum + 3 * p->b;
}
void groups_of_two_kinds_2_2(Two* p) {
  p->a = 1;
  keep(reinterpret_cast<const void*>(static_cast<long>(p->b)));
}
void groups_of_two_steps_2_2(Two* p) {
  p->a = 1;
  keep(nullptr);
  p->b = 2;
}
void groups_on_some_ways_2_2(Two* p, int x) {
  p->a = 1;
  if (x > other()) p->b = 2;
}
void groups_on_two_ways_3_3(Two* p, int x) {
  p->a = 1;
  if (x > 0) {
    p->b = 2;
    keep(p);
  } else {
    p->b = 3;
  }
}

Two* until_known_a_new_object_0_2(int x) {
  Two* const p = new Two;
  p->a = x;
  p->b = x + 1;
  return p;
}
void until_known_in_a_loop_1_2(int n) {
  for (int i = 0; i < n; ++i) {
    int* const p = new int(i);
    keep(p);
    *p = i + 1;
  }
}
void until_known_a_local_1_2(int x) {
  int local = x;
  keep(&local);
  local = x + 1;
  keep(&local);
}
// The object of the iteration before has been told of.
void until_known_of_an_iteration_before_1_1(int n) {
  int* before = nullptr;
  for (int i = 0; i < n; ++i) {
    if (before != nullptr) *before = i;
    before = new int;
    keep(before);
  }
}

// A function of this file that keeps nothing.
int private_memory_passed_on_0_2(int x) {
  Two two;
  two.a = x;
  two.b = x;
  asm("" : "+m"(two.a));
  return sum_of(two);
}

int covered_by_a_write_2_3(int* p, int* q, int x) {
  *p = x;
  *q = 2;
  return *p;
}
int covered_a_read_that_is_overwritten_1_2(int* p) { return (*p)++; }
int covered_not_after_a_task_operation_2_2(int* p, int x) {
  *p = x;
  keep(p);
  return *p;
}

// Under a condition it is a range that may have no bytes.
void invariants_under_a_condition_0_1(const int* p, int* q, int n, bool wanted) {
  for (int i = 0; i < n; ++i) {
    if (wanted) q[i] = *p;
  }
}

void ranges_of_a_loop_0_1(int* p, int n) {
  for (int i = 0; i < n; ++i) p[i] = i;
}

int summaries_of_a_function_1_2(int* p, int* q, int x) {
  *p = x;
  add_one(q);
  return *p;
}

struct Bytes {
  char of[24];
};
void inline_copies_of_few_bytes_4_0(Bytes* to, const Bytes* from) { *to = *from; }
}

[[gnu::noinline]] static int sum_of(const Two& two) { return two.a * 3 + two.b; }
[[gnu::noinline]] static void add_one(int* to) { ++*to; }
