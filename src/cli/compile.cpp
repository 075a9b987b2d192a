#include "cli/compile.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <iterator>
#include <string_view>
#include <unistd.h>
#include <utility>

#include "cli/build_facts.hpp"
#include "cli/compiler_arguments.hpp"
#include "cli/exit_code.hpp"
#include "cli/words.hpp"
#include "support/settings.hpp"

namespace anyorder::cli {
namespace {

constexpr std::string_view kShow = "--anyorder-show";

constexpr std::string_view kHelp = R"(usage: anyorder c++ <arguments of the compiler>
       anyorder cc  <arguments of the compiler>

Calls the compiler with your arguments and those that instrument the code, so that `anyorder check` sees every
memory access of it, and links libanyorder. All arguments are the compiler's; three are not passed on:

  --help                     this text, if it is the only argument
  --anyorder-show            print the command instead of running it
  --instrument=pass|hooks    how: by anyorder's pass, which needs clang 19 and checks whole loops at once, or by
                             the hooks of any compiler; default $ANYORDER_INSTRUMENT, else the pass where it can be

The compiler is $ANYORDER_CXX, else $CXX, else clang++-19 if anyorder has its pass, else g++, else clang++; for cc it is
$ANYORDER_CC, $CC, clang-19, gcc, clang.
Without -g and, for C++, -std, these are added: -g -std=c++20.

Where a compiler has to be one program without arguments, use anyorder-c++ and anyorder-cc:

  cmake -DCMAKE_CXX_COMPILER=anyorder-c++ …
)";

void reject_what_cannot_be_checked(const CompilerArguments& asked) {
  if (asked.has_threadsanitizer) {
    throw UsageError("-fsanitize=thread and anyorder cannot be in one program: leave it out.");
  }
  if (asked.links && asked.is_static) {
    throw UsageError("A program that is linked with -static cannot be checked: leave it out.");
  }
}

// What makes the compiler silent about options that this command needs not.
std::vector<std::string> unless_unused(CompilerFamily family, std::vector<std::string> options) {
  if (family == CompilerFamily::clang && !options.empty()) {
    options.insert(options.begin(), "--start-no-unused-arguments");
    options.emplace_back("--end-no-unused-arguments");
  }
  return options;
}

std::vector<std::string> defaults(const CompilerArguments& asked, Language language) {
  std::vector<std::string> options;
  if (!asked.compiles) return options;
  if (!asked.names_debug_level) options.emplace_back("-g");
  if (language == Language::cxx && !asked.names_standard && !asked.names_other_language) {
    options.emplace_back("-std=c++20");
  }
  return options;
}

std::vector<std::string> instrumenting(CompilerFamily family, Instrumentation kind,
                                       const Installation& installation) {
  using Words = std::span<const std::string_view>;
  const std::pair<std::string_view, std::string> files[] = {{"<specs>", installation.specs().string()},
                                                            {"<pass>", installation.pass().string()}};
  std::vector<std::string> options;
  const Words words = family == CompilerFamily::gnu   ? Words(kInstrumentGnu)
                      : kind == Instrumentation::pass ? Words(kInstrumentPass)
                                                      : Words(kInstrumentClang);
  for (const auto word : words) {
    std::string option(word);
    for (const auto& [name, path] : files) {
      if (const auto at = option.find(name); at != std::string::npos) option.replace(at, name.size(), path);
    }
    options.push_back(std::move(option));
  }
  return options;
}

std::vector<std::string> linking(const Installation& installation) {
  const auto folder = installation.libraries.string();
  // By the linker's own option: a language that the user names with -x would be taken for the object's.
  std::vector<std::string> options{"-Xlinker", installation.near_hooks().string()};
  if (is_default_library_folder(folder)) {
    options.emplace_back("-lanyorder");
  } else {
    for (const auto& option : {"-L" + folder, std::string("-lanyorder"), std::string("-Xlinker"),
                               std::string("-rpath"), std::string("-Xlinker"), folder}) {
      options.push_back(option);
    }
  }
  return options;
}

void append(std::vector<std::string>& to, std::vector<std::string> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

}  // namespace

std::vector<std::string> instrumented_command(const std::vector<std::string>& compiler, CompilerFamily family,
                                              Instrumentation kind, Language language,
                                              std::span<const std::string> arguments,
                                              const Installation& installation) {
  auto command = compiler;
  const auto asked = understand(with_response_files(arguments));
  if (!asked.has_input) {
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
  }
  reject_what_cannot_be_checked(asked);

  append(command, unless_unused(family, defaults(asked, language)));
  // What follows "--" is taken for files.
  const auto files = std::find(arguments.begin(), arguments.end(), "--");
  command.insert(command.end(), arguments.begin(), files);
  append(command, instrumenting(family, kind, installation));
  std::vector<std::string> preprocessing{std::string(kInstrumentDefine)};
  if (!is_default_header_folder(installation.headers)) {
    preprocessing.push_back("-I" + installation.headers.string());
  }
  append(command, unless_unused(family, std::move(preprocessing)));
  std::vector<std::string> libraries;
  if (asked.links) libraries = linking(installation);
  if (files == arguments.end()) {
    append(command, std::move(libraries));
  } else {
    // Libraries follow what needs them, but options cannot follow "--": the linker is told to keep it anyway.
    if (asked.links) append(command, {"-Xlinker", "--no-as-needed"});
    append(command, std::move(libraries));
    command.insert(command.end(), files, arguments.end());
  }
  return command;
}

int compile(Language language, std::span<const std::string> arguments) {
  if (arguments.size() == 1 && arguments.front() == "--help") {
    std::cout << kHelp;
    return kExitSuccess;
  }
  std::vector<std::string> for_compiler(arguments.begin(), arguments.end());
  const bool show = std::erase(for_compiler, kShow) != 0;

  const auto asked = asked_instrumentation(
      for_compiler, support::value_of(support::kInstrument).value_or(std::string_view()));

  const auto installation = this_installation();
  const auto compiler =
      choose_compiler(language, surroundings(asked != Instrumentation::hooks && has_pass(installation)));
  const auto identity = identity_of(compiler);
  const auto instrumentation = choose_instrumentation(asked, identity, installation);
  if (!instrumentation.message.empty()) std::cerr << instrumentation.message << '\n';
  const auto command = instrumented_command(compiler, identity.family, instrumentation.kind, language,
                                            for_compiler, installation);
  if (show) {
    std::cout << quoted_for_shell(command) << '\n';
    return kExitSuccess;
  }

  const auto words = pointers_to(command);
  ::execvp(words[0], words.data());
  throw EnvironmentError(command.front() + " cannot be started: " + std::strerror(errno) + ".");
}

}  // namespace anyorder::cli
