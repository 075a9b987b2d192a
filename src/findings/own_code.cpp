#include "findings/own_code.hpp"

#include <algorithm>

namespace anyorder::findings {

bool is_library_file(std::string_view path) {
  constexpr std::string_view kApiFolder = "include/anyorder/";
  if (path.starts_with("/usr/include/") || path.starts_with("/usr/lib/gcc/") ||
      path.starts_with("/usr/lib/llvm")) {
    return true;
  }
  const auto at = path.find(kApiFolder);
  return at == 0 || (at != std::string_view::npos && path[at - 1] == '/');
}

const Frame& frame_in_own_code(const Trace& trace) {
  const Frame& innermost = trace.innermost();
  if (!innermost.source.known() || !is_library_file(innermost.source.file)) return innermost;
  const auto own = std::find_if(trace.begin(), trace.end(), [](const Frame& frame) {
    return frame.source.known() && !is_library_file(frame.source.file);
  });
  return own == trace.end() ? innermost : *own;
}

}  // namespace anyorder::findings
