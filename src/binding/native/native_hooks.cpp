// The hooks of instrumented code that nobody checks: it runs as if it were not instrumented, only slower.

#include <cstdint>

namespace anyorder::frontends {

struct Receiver {
  template <std::size_t>
  static void read(const void*, std::uintptr_t) {}
  template <std::size_t>
  static void read_news(const void*, std::uintptr_t) {}
  static void read(const void*, std::size_t, std::uintptr_t) {}
  template <std::size_t>
  static void write(const void*, std::uintptr_t) {}
  template <std::size_t>
  static void write_news(const void*, std::uintptr_t) {}
  static void write(const void*, std::size_t, std::uintptr_t) {}
  static void atomic() {}
  static void decreased(const void*, bool) {}
  static void sole(const void*) {}
  static void entered(std::uintptr_t, std::uintptr_t, std::uintptr_t) {}
  static void left() {}
  static void started() {}
};

}  // namespace anyorder::frontends

#include "frontends/compiler_hooks/hooks.inc"
