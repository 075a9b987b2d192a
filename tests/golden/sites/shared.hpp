// What the files of this program share. A line with an access that races has a mark:
//
//   // SITE <function>: <expression>
//
// the function as reports name it, and what it accesses as the records have it. A line that calls one which
// is inlined is marked // CALL.
#pragma once

#include <vector>

#include <anyorder/anyorder.hpp>
namespace ao = anyorder;

template <class F>
[[gnu::always_inline]] inline void twice(F f) {
  ao::finish([&] {
    ao::async(f);
    f();
  });
}

inline int counts[4];
// In both files: the linker keeps one of the two.
[[gnu::noinline]] inline void count(int i) {
  counts[i] = i;  // SITE count(int): counts[...]
}

void from_other_file();
void from_library();
