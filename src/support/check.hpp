// Assertions about our own code. They stay on in release builds; keep them off per-access paths.
#pragma once

namespace anyorder::support {

// Says which promise of ours was broken, and aborts.
[[noreturn]] void check_failed(const char* condition, const char* message, const char* file,
                               int line) noexcept;

}  // namespace anyorder::support

#define ANYORDER_CHECK(condition, message) \
  (static_cast<bool>(condition)            \
       ? static_cast<void>(0)              \
       : ::anyorder::support::check_failed(#condition, message, __FILE__, __LINE__))
