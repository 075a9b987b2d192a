#include "report/signals.hpp"

#include <string.h>

namespace anyorder::report {

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? "signal " + std::to_string(signal) : std::string("SIG") + name;
}

}  // namespace anyorder::report
