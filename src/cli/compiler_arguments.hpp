// What a command line asks of g++ or clang++: as much of it as decides what has to be added to instrument.
#pragma once

#include <span>
#include <string>

namespace anyorder::cli {

struct CompilerArguments {
  bool has_input = false;             // a source file, an object, a library
  bool compiles = false;              // some input is a source file or a header
  bool links = false;                 // an executable or a shared library comes out
  bool names_debug_level = false;     // -g…
  bool names_standard = false;        // -std=…, -ansi
  bool names_other_language = false;  // -x with a language that is not C++
  bool has_threadsanitizer = false;   // -fsanitize=thread
  bool is_static = false;             // -static, -static-pie
};

// `arguments` without the compiler's name, response files already replaced by what is in them.
[[nodiscard]] CompilerArguments understand(std::span<const std::string> arguments);

}  // namespace anyorder::cli
