// What a C library hands over to be freed.
#pragma once

#include <cstdlib>
#include <memory>

namespace anyorder::report {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

template <class T>
using Malloced = std::unique_ptr<T, Free>;

}  // namespace anyorder::report
