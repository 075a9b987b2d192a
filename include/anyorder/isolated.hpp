// isolated(f): mutual exclusion with every other isolated section.
// isolated(objects..., f): only with sections that share an object, and with the sections without objects.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anyorder/detail/export.hpp"
#include "anyorder/source_site.hpp"

namespace anyorder {
namespace detail {

// Holds the exclusion from construction to destruction. No task operation is legal in between: each throws
// usage_error, and so does a nested section.
class IsolatedSection {
 public:
  // No objects: excludes every other section.
  ANYORDER_API explicit IsolatedSection(std::span<const void* const> objects, source_site entered_at);
  ANYORDER_API ~IsolatedSection();
  IsolatedSection(const IsolatedSection&) = delete;
  IsolatedSection& operator=(const IsolatedSection&) = delete;

  std::span<const void* const> objects;
  source_site site;
};

// A pointer to the object of a section. The first one of a call also picks up the call's source line, which
// cannot follow a parameter pack.
struct IsolationObject {
  template <class T>
  IsolationObject(T* pointer, source_site here = source_site::current()) noexcept  // NOLINT(*-explicit-*)
      : address(pointer), site(here) {}
  const void* address;
  source_site site;
};

template <class Args, std::size_t... I>
decltype(auto) isolated_on(const IsolationObject& first, Args args, std::index_sequence<I...>) {
  const std::array<const void*, sizeof...(I) + 1> objects{first.address,
                                                          static_cast<const void*>(std::get<I>(args))...};
  const IsolatedSection section(objects, first.site);
  return std::invoke(std::get<sizeof...(I)>(std::move(args)));
}

}  // namespace detail

template <std::invocable F>
decltype(auto) isolated(F&& f, source_site site = source_site::current()) {
  const detail::IsolatedSection section({}, site);
  return std::invoke(std::forward<F>(f));
}

// isolated(&a, &b, f). The objects are pointers; what they point to is not touched.
template <class... Rest>
requires(sizeof...(Rest) >= 1) decltype(auto) isolated(detail::IsolationObject first, Rest&&... rest) {
  return detail::isolated_on(first, std::forward_as_tuple(std::forward<Rest>(rest)...),
                             std::make_index_sequence<sizeof...(Rest) - 1>{});
}

}  // namespace anyorder
