// How `anyorder c++` and `anyorder cc` have code instrumented.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/compiler_choice.hpp"
#include "cli/installation.hpp"

namespace anyorder::cli {

enum class Instrumentation {
  hooks,  // by the compiler itself: a call for each access
  pass    // by our pass in clang: fewer checks, of whole loops where that is possible
};

// What `--instrument=` among the arguments asks for, which is taken from them; else what `variable` says, the
// text of ANYORDER_INSTRUMENT. Nothing if neither says anything. Throws UsageError.
[[nodiscard]] std::optional<Instrumentation> asked_instrumentation(std::vector<std::string>& arguments,
                                                                   std::string_view variable);

struct InstrumentationChoice {
  Instrumentation kind;
  std::string message;  // why it is not what was asked for; else empty
};

// Whether the pass is built in this installation.
[[nodiscard]] bool has_pass(const Installation& installation);

// The pass, if it is installed and the compiler can load it, unless the hooks are asked for.
[[nodiscard]] InstrumentationChoice choose_instrumentation(std::optional<Instrumentation> asked,
                                                           const CompilerIdentity& compiler,
                                                           const Installation& installation);

}  // namespace anyorder::cli
