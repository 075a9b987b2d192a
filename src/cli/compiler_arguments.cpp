#include "cli/compiler_arguments.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace anyorder::cli {
namespace {

enum class Input { source, header, assembler, linked };

template <std::size_t N>
constexpr bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Options whose value is the next word. They are no inputs, and their values are neither.
constexpr auto kWithValue = std::to_array<std::string_view>({"-A",
                                                             "-B",
                                                             "-D",
                                                             "-F",
                                                             "-G",
                                                             "-I",
                                                             "-L",
                                                             "-MF",
                                                             "-MQ",
                                                             "-MT",
                                                             "-T",
                                                             "-Tbss",
                                                             "-Tdata",
                                                             "-Ttext",
                                                             "-U",
                                                             "-Xanalyzer",
                                                             "-Xassembler",
                                                             "-Xclang",
                                                             "-Xlinker",
                                                             "-Xopenmp-target",
                                                             "-Xpreprocessor",
                                                             "-arch",
                                                             "-aux-info",
                                                             "-dumpbase",
                                                             "-dumpbase-ext",
                                                             "-dumpdir",
                                                             "-e",
                                                             "-framework",
                                                             "-gcc-toolchain",
                                                             "-h",
                                                             "-idirafter",
                                                             "-imacros",
                                                             "-imultilib",
                                                             "-include",
                                                             "-include-pch",
                                                             "-iprefix",
                                                             "-iquote",
                                                             "-isysroot",
                                                             "-isystem",
                                                             "-isystem-after",
                                                             "-ivfsoverlay",
                                                             "-iwithprefix",
                                                             "-iwithprefixbefore",
                                                             "-mllvm",
                                                             "-o",
                                                             "-rpath",
                                                             "-target",
                                                             "-u",
                                                             "-working-directory",
                                                             "-wrapper",
                                                             "-z",
                                                             "--output",
                                                             "--param",
                                                             "--include",
                                                             "--imacros",
                                                             "--specs",
                                                             "--sysroot",
                                                             "--serialize-diagnostics",
                                                             "-serialize-diagnostics",
                                                             "--std",
                                                             "--define-macro",
                                                             "--include-directory",
                                                             "--library-directory",
                                                             "--undefine-macro"});

// What the compiler does instead of linking.
constexpr auto kStopsBeforeLinking = std::to_array<std::string_view>(
    {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--analyze", "--assemble", "--compile", "--dependencies",
     "--precompile", "--preprocess", "--user-dependencies", "-emit-ast",
     // Links, but to an object: libraries come when that is linked.
     "-r"});

constexpr auto kSourceEndings = std::to_array<std::string_view>(
    {"c",    "i",   "ii",  "cc", "cp", "cxx", "cpp", "CPP", "c++", "C",   "m",   "mi", "mm", "M",  "mii",
     "cppm", "ccm", "ixx", "cu", "f",  "for", "F",   "f90", "F90", "f95", "F95", "go", "d",  "ll", "bc"});
constexpr auto kHeaderEndings =
    std::to_array<std::string_view>({"h", "hh", "H", "hp", "hxx", "hpp", "HPP", "h++", "tcc"});
constexpr auto kAssemblerEndings = std::to_array<std::string_view>({"s", "S", "sx"});

Input by_ending(std::string_view file) {
  const auto dot = file.rfind('.');
  if (dot == std::string_view::npos || file.find('/', dot) != std::string_view::npos) return Input::linked;
  const auto ending = file.substr(dot + 1);
  if (is_one_of(ending, kSourceEndings)) return Input::source;
  if (is_one_of(ending, kHeaderEndings)) return Input::header;
  if (is_one_of(ending, kAssemblerEndings)) return Input::assembler;
  return Input::linked;
}

Input by_language(std::string_view language) {
  if (language.find("header") != std::string_view::npos) return Input::header;
  if (language.starts_with("assembler")) return Input::assembler;
  return Input::source;
}

// -g, -g3, -ggdb, -gdwarf-5…; not those that only say how debug information is stored.
bool names_debug_level(std::string_view word) {
  if (!word.starts_with("-g")) return word == "--debug" || word.starts_with("--debug=");
  return !word.starts_with("-gno-") && !word.starts_with("-gz") && !word.starts_with("-gcc");
}

bool names_threadsanitizer(std::string_view word) {
  constexpr std::string_view kOption = "-fsanitize=";
  if (!word.starts_with(kOption)) return false;
  word.remove_prefix(kOption.size());
  for (;;) {
    const auto comma = word.find(',');
    if (word.substr(0, comma) == "thread") return true;
    if (comma == std::string_view::npos) return false;
    word.remove_prefix(comma + 1);
  }
}

class Reader {
 public:
  void input(std::string_view file) {
    take(!language_.empty()                    ? by_language(language_)
         : file == "-" || file == "/dev/stdin" ? Input::source
                                               : by_ending(file));
  }
  void library() { take(Input::linked); }
  void language(std::string_view name) {
    language_ = name == "none" ? std::string_view() : name;
    if (!language_.empty() && !language_.starts_with("c++") && !language_.starts_with("assembler")) {
      result_.names_other_language = true;
    }
  }
  void option(std::string_view word) {
    stops_ = stops_ || is_one_of(word, kStopsBeforeLinking);
    auto& r = result_;
    r.names_debug_level = r.names_debug_level || names_debug_level(word);
    r.names_standard =
        r.names_standard || word.starts_with("-std=") || word.starts_with("--std") || word == "-ansi";
    r.has_threadsanitizer = r.has_threadsanitizer || names_threadsanitizer(word);
    r.is_static = r.is_static || word == "-static" || word == "--static" || word == "-static-pie";
  }
  [[nodiscard]] CompilerArguments result() const {
    auto r = result_;
    r.links = linkable_ && !stops_;
    return r;
  }

 private:
  void take(Input input) {
    result_.has_input = true;
    result_.compiles = result_.compiles || input == Input::source || input == Input::header;
    linkable_ = linkable_ || input != Input::header;
  }

  CompilerArguments result_;
  std::string_view language_;  // of the inputs that follow; empty: by their names
  bool linkable_ = false;      // some input ends up in the linker if nothing stops it
  bool stops_ = false;
};

}  // namespace

CompilerArguments understand(std::span<const std::string> arguments) {
  Reader reader;
  bool options_end = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    const std::string_view next =
        i + 1 < arguments.size() ? std::string_view(arguments[i + 1]) : std::string_view();
    if (options_end || word == "-" || !word.starts_with('-')) {
      if (!word.empty()) reader.input(word);
    } else if (word == "--") {
      options_end = true;
    } else if (word == "-x" || word == "--language") {
      reader.language(next);
      ++i;
    } else if (word.starts_with("-x")) {
      reader.language(word.substr(2));
    } else if (word.starts_with("--language=")) {
      reader.language(word.substr(word.find('=') + 1));
    } else if (word.starts_with("-l")) {
      reader.library();
      if (word == "-l") ++i;
    } else {
      reader.option(word);
      if (is_one_of(word, kWithValue)) ++i;
    }
  }
  return reader.result();
}

}  // namespace anyorder::cli
