// Names of signals.
#pragma once

#include <string>

namespace anyorder::report {

// "SIGSEGV"; "signal 42" for a number without a name.
[[nodiscard]] std::string signal_name(int signal);

}  // namespace anyorder::report
