// The hooks of instrumented code that nobody checks: it runs as if it were not instrumented, only slower.

#include <cstddef>
#include <cstdint>

#include "events/quick.hpp"
#include "events/step_ranges.hpp"

namespace anyorder::frontends {

struct Receiver {
  static constexpr bool kGroups = false;
  static constexpr bool kWordByWord = false;
  template <events::Access, std::size_t>
  static void access(const void*, std::uintptr_t) {}
  template <events::Access, std::size_t>
  static void news(const void*, std::uintptr_t) {}
  static void settle(const auto& /*put_off*/) {}
  template <events::Access, std::size_t>
  static void access_each(const char*, std::ptrdiff_t, std::size_t, std::uintptr_t) {}
  template <events::Access, class Make>
  static void access_once(const events::Rows&, std::uintptr_t, Make) {}
  template <events::Access>
  static void access(const void*, std::size_t, std::uintptr_t) {}
  static void atomic(bool) {}
  static void decreased(const void*, bool) {}
  static void sole(const void*) {}
  static void entered(std::uintptr_t, std::uintptr_t, std::uintptr_t) {}
  static void left() {}
  static void started() {}
};

}  // namespace anyorder::frontends

#include "frontends/compiler_hooks/hooks.inc"
