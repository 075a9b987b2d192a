// Tasks that increment a counter in isolated sections: n of them have 2^n states.
#pragma once

#include <anyorder/anyorder.hpp>

namespace bench::explore {

inline int counted_by(int tasks) {
  int counter = 0;
  anyorder::forall(0, tasks, [&](int) { anyorder::isolated([&] { ++counter; }); });
  return counter;
}

}  // namespace bench::explore
