// expect_race(object, "why"): races on the object are intended. `anyorder check` counts them and says where
// they were expected, but they are no findings; and it says so if there was none.
//
// For the whole run, wherever the call is made; the object is known by its address and its size.
#pragma once

#include <cstddef>
#include <memory>

#include "anyorder/detail/export.hpp"
#include "anyorder/source_site.hpp"

namespace anyorder {
namespace detail {

// Without a tool it does nothing. `why` lives as long as the program.
ANYORDER_API void expect_race(const void* object, std::size_t bytes, const char* why, source_site site);

}  // namespace detail

template <class T>
void expect_race(const T& object, const char* why, source_site site = source_site::current()) {
  detail::expect_race(std::addressof(object), sizeof(T), why, site);
}

}  // namespace anyorder
