#include "cli/instrumentation.hpp"

#include <filesystem>

#include "cli/build_facts.hpp"
#include "cli/exit_code.hpp"

namespace anyorder::cli {
namespace {

constexpr std::string_view kOption = "--instrument=";

Instrumentation instrumentation_named(std::string_view name, std::string_view where) {
  if (name == "hooks") return Instrumentation::hooks;
  if (name == "pass") return Instrumentation::pass;
  throw UsageError(std::string(where) + std::string(name) + ": it may be pass or hooks.");
}

}  // namespace

std::optional<Instrumentation> asked_instrumentation(std::vector<std::string>& arguments,
                                                     std::string_view variable) {
  std::optional<Instrumentation> asked;
  if (!variable.empty()) asked = instrumentation_named(variable, "ANYORDER_INSTRUMENT is ");
  std::erase_if(arguments, [&](const std::string& word) {
    if (!word.starts_with(kOption)) return false;
    asked = instrumentation_named(std::string_view(word).substr(kOption.size()), kOption);
    return true;
  });
  return asked;
}

bool has_pass(const Installation& installation) {
  std::error_code error;
  return std::filesystem::exists(installation.pass(), error);
}

InstrumentationChoice choose_instrumentation(std::optional<Instrumentation> asked,
                                             const CompilerIdentity& compiler,
                                             const Installation& installation) {
  if (asked == Instrumentation::hooks) return {Instrumentation::hooks, ""};
  std::string missing;
  if (compiler.family != CompilerFamily::clang || compiler.version != kPassClangVersion) {
    missing = "the compiler is not clang " + std::to_string(kPassClangVersion) +
              ": set ANYORDER_CXX to clang++-" + std::to_string(kPassClangVersion);
  } else if (!has_pass(installation)) {
    missing = installation.pass().string() + " is missing: it is built where the headers of LLVM " +
              std::to_string(kPassClangVersion) + " are";
  }
  if (missing.empty()) return {Instrumentation::pass, ""};
  if (!asked) return {Instrumentation::hooks, ""};
  return {Instrumentation::hooks, "anyorder: instrumented by hooks, not by the pass, as " + missing + "."};
}

}  // namespace anyorder::cli
