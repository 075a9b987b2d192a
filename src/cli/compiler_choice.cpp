#include "cli/compiler_choice.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/build_facts.hpp"
#include "cli/exit_code.hpp"
#include "cli/program_lookup.hpp"
#include "cli/words.hpp"
#include "support/settings.hpp"

namespace anyorder::cli {
namespace {

struct Names {
  const char* own_variable;
  const char* usual_variable;
  std::array<const char*, 2> programs;
  std::string of_pass;
};

Names names_for(Language language) {
  const std::string version = "-" + std::to_string(kPassClangVersion);
  if (language == Language::cxx) {
    return {support::kCxx.name, "CXX", {"g++", "clang++"}, "clang++" + version};
  }
  return {support::kCc.name, "CC", {"gcc", "clang"}, "clang" + version};
}

bool is_this_command(const std::string& word) {
  const auto name = std::filesystem::path(word).filename().string();
  if (name == "anyorder" || name == "anyorder-c++" || name == "anyorder-cc") return true;
  const auto program = find_program(word);
  std::error_code error;
  return program.lookup == Lookup::found &&
         std::filesystem::equivalent(program.path, "/proc/self/exe", error);
}

std::string standard_output_of(const std::vector<std::string>& command) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw EnvironmentError("There are no file descriptors left.");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const auto arguments = pointers_to(command);
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  if (failed == 0) {
    std::array<char, 4096> part{};
    for (;;) {
      const auto count = ::read(ends[0], part.data(), part.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      text.append(part.data(), static_cast<std::size_t>(count));
    }
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  ::close(ends[0]);
  return text;
}

// The number that a line "#define <name> <number>" gives.
int number_of(const std::string& macros, const std::string& name) {
  const auto line = "#define " + name + " ";
  const auto at = macros.find(line);
  return at == std::string::npos ? 0 : std::atoi(macros.c_str() + at + line.size());
}

}  // namespace

CompilerSurroundings surroundings(bool has_pass) {
  return {[](const char* name) -> std::optional<std::string> {
            const auto value = support::value_of({name, "", ""});
            return value ? std::optional<std::string>(*value) : std::nullopt;
          },
          [](const std::string& word) { return find_program(word).lookup == Lookup::found; }, is_this_command,
          has_pass};
}

std::vector<std::string> choose_compiler(Language language, const CompilerSurroundings& around) {
  const auto names = names_for(language);
  for (const char* variable : {names.own_variable, names.usual_variable}) {
    const auto value = around.variable(variable);
    if (!value) continue;
    auto words = split_words(*value);
    if (words.empty()) continue;
    if (std::any_of(words.begin(), words.end(), around.is_anyorder)) {
      if (variable == names.usual_variable) continue;
      throw UsageError(std::string(variable) + " is " + *value +
                       ", which is anyorder itself: set it to the " + "compiler that anyorder is to call.");
    }
    if (!around.runs(words.front())) {
      throw UsageError(std::string(variable) + " is " + *value + ", but there is no program " +
                       words.front() + ": install it, or set " + names.own_variable +
                       " to another compiler.");
    }
    return words;
  }
  if (around.has_pass && around.runs(names.of_pass)) return {names.of_pass};
  for (const char* program : names.programs) {
    if (around.runs(program)) return {program};
  }
  throw UsageError(std::string("There is neither ") + names.programs[0] + " nor " + names.programs[1] +
                   ": install one of them, or set " + names.own_variable + " to a compiler.");
}

CompilerIdentity identity_of(const std::vector<std::string>& compiler) {
  auto command = compiler;
  command.insert(command.end(), {"-dM", "-E", "-x", "c", "/dev/null"});
  const auto macros = standard_output_of(command);
  if (macros.find("#define __clang__ ") != std::string::npos) {
    return {CompilerFamily::clang, number_of(macros, "__clang_major__")};
  }
  if (macros.find("#define __GNUC__ ") != std::string::npos) {
    return {CompilerFamily::gnu, number_of(macros, "__GNUC__")};
  }
  throw UsageError(quoted_for_shell(compiler) +
                   " does not answer like g++ or clang++, which are the compilers that " +
                   "anyorder can call: set ANYORDER_CXX, or ANYORDER_CC for C, to one of them.");
}

}  // namespace anyorder::cli
