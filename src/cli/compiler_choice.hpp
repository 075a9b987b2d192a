// Which compiler `anyorder c++` and `anyorder cc` call, and whether it is g++ or clang++.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace anyorder::cli {

enum class Language { c, cxx };

// What the choice depends on; tests put their own in.
struct CompilerSurroundings {
  // A variable's value, or nothing if it is unset or empty.
  std::function<std::optional<std::string>(const char*)> variable;
  // Whether a word names a program that can be run.
  std::function<bool(const std::string&)> runs;
  // Whether a word names the anyorder command, by whatever name: calling it would never end.
  std::function<bool(const std::string&)> is_anyorder;
  bool has_pass;  // it is installed, and nobody asked for hooks
};

// Those of this process.
[[nodiscard]] CompilerSurroundings surroundings(bool has_pass);

// The compiler as words, such as {"ccache", "g++"}: from $ANYORDER_CXX, else from $CXX unless that is
// anyorder itself, else the clang of anyorder's pass if that can be used, else g++, else clang++; for C from
// $ANYORDER_CC, $CC, and the same of C. Throws UsageError.
[[nodiscard]] std::vector<std::string> choose_compiler(Language language, const CompilerSurroundings& around);

enum class CompilerFamily { gnu, clang };

struct CompilerIdentity {
  CompilerFamily family;
  int version;  // its first number; 0 if it does not say
};

// Asks the compiler for its predefined macros: names lie (c++, wrappers). Costs 10 to 20 ms.
// Throws UsageError if it cannot be run or answers like neither.
[[nodiscard]] CompilerIdentity identity_of(const std::vector<std::string>& compiler);

}  // namespace anyorder::cli
