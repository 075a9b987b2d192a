#include "cli/command.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <string_view>

#include <anyorder/version.hpp>

#include "cli/check.hpp"
#include "cli/compile.hpp"
#include "cli/detectors.hpp"
#include "cli/exit_code.hpp"
#include "cli/explore.hpp"
#include "cli/run.hpp"

namespace anyorder::cli {
namespace {

using Arguments = std::span<const std::string>;

struct Subcommand {
  std::string_view name;
  std::string_view summary;
  int (*run)(Arguments);
};

int compile_cxx(Arguments arguments) { return compile(Language::cxx, arguments); }
int compile_c(Arguments arguments) { return compile(Language::c, arguments); }
int help(Arguments arguments);

constexpr auto kSubcommands = std::to_array<Subcommand>({
    {"c++", "compile C++ with instrumentation; all arguments are the compiler's", compile_cxx},
    {"cc", "the same for C", compile_c},
    {"check", "run a program and tell whether it has a race on any schedule of its input", check},
    {"explore", "run it in every order of isolated sections that matters, up to a race or the proof",
     explore},
    {"replay", "run it once, in an order that explore has told", replay},
    {"run", "run a program in parallel, without deadlocks of futures", run},
    {"detectors", "list the detectors", detectors},
    {"help", "this text, or that of a command", help},
});

const Subcommand* find(std::string_view name) {
  const auto* found = std::find_if(kSubcommands.begin(), kSubcommands.end(),
                                   [&](const auto& subcommand) { return subcommand.name == name; });
  return found != kSubcommands.end() ? found : nullptr;
}

std::string known_subcommands() {
  std::string names;
  for (const auto& subcommand : kSubcommands) {
    if (!names.empty()) names += ", ";
    names += subcommand.name;
  }
  return names;
}

const Subcommand& subcommand_of(const std::string& name) {
  if (const auto* found = find(name)) return *found;
  throw UsageError("There is no command '" + name + "'. Commands: " + known_subcommands() +
                   " (see anyorder --help).");
}

void print_help(std::ostream& out) {
  out << "usage: anyorder <command> …\n\n"
         "Tells from one run whether a task-parallel program gives the same answer in any order.\n\n";
  for (const auto& subcommand : kSubcommands) {
    out << "  anyorder " << std::left << std::setw(12) << subcommand.name << subcommand.summary << '\n';
  }
  out << "  anyorder " << std::left << std::setw(12) << "--version"
      << "the version\n\n"
      << "anyorder <command> --help says more.\n\n"
         "exit codes: 0 clean (or the program's own, if it is another), 66 a race or a deadlock, 65 "
         "unknown,\n"
         "64 wrong usage, 70 an error of the tool; c++ and cc end with the compiler's.\n";
}

int help(Arguments arguments) {
  const auto asked = std::find_if(arguments.begin(), arguments.end(), [](const std::string& word) {
    return !word.starts_with('-') && word != "help";
  });
  if (asked != arguments.end()) {
    const std::array<std::string, 1> flag{"--help"};
    return subcommand_of(*asked).run(flag);
  }
  print_help(std::cout);
  return kExitSuccess;
}

int dispatch(const std::string& called, Arguments arguments) {
  const auto name = std::filesystem::path(called).filename();
  if (name == "anyorder-c++") return compile_cxx(arguments);
  if (name == "anyorder-cc") return compile_c(arguments);

  if (arguments.empty()) {
    print_help(std::cerr);
    return kExitUsage;
  }
  const auto& first = arguments.front();
  if (first == "--help" || first == "-h") return help({});
  if (first == "--version") {
    std::cout << "anyorder " ANYORDER_VERSION "\n";
    return kExitSuccess;
  }
  return subcommand_of(first).run(arguments.subspan(1));
}

}  // namespace

int run_command(const std::string& name, std::span<const std::string> arguments) {
  const auto say = [](const char* what) { std::cerr << "anyorder: " << what << '\n'; };
  try {
    const int code = dispatch(name, arguments);
    std::cout.flush();
    if (!std::cout) throw EnvironmentError("The output could not be written.");
    return code;
  } catch (const UsageError& error) {
    say(error.what());
    return kExitUsage;
  } catch (const EnvironmentError& error) {
    say(error.what());
  } catch (const std::exception& error) {
    std::cerr << "anyorder: an error of the tool: " << error.what() << '\n';
  }
  return kExitInternal;
}

}  // namespace anyorder::cli
