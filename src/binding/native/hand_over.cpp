// A program that is started with ANYORDER_DETECTOR set goes on under `anyorder check`; one that wants to
// explore, with the variant of this library that can.

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "runtime/exploration.hpp"
#include "support/settings.hpp"

namespace anyorder::binding {
namespace {

// The file below the folder of this library, or nothing if that is not known.
std::string beside_library(const char* path) {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&beside_library), &self) == 0) return {};
  const std::string library = self.dli_fname;
  const std::size_t slash = library.rfind('/');
  return (slash == std::string::npos ? std::string(".") : library.substr(0, slash)) + "/" + path;
}

// ANYORDER_LIBDIR_TO_COMMAND comes from the build: both trees have the same shape.
std::string path_of_command() {
  const std::string command = beside_library(ANYORDER_LIBDIR_TO_COMMAND);
  return command.empty() ? "anyorder" : command;
}

char** arguments_of_main = nullptr;

// Returns if there is no such variant, or if this process should have had it.
void start_with_explorer() {
  const std::string variant = beside_library(ANYORDER_EXPLORER_VARIANT);
  if (variant.empty() || access(variant.c_str(), R_OK) != 0 || support::value_of(support::kExplorer)) return;
  const char* const others = std::getenv("LD_PRELOAD");
  const std::string preload = others == nullptr ? variant : variant + ":" + others;
  setenv("LD_PRELOAD", preload.c_str(), 1);
  setenv(support::kExplorer.name, "1", 1);
  execv("/proc/self/exe", arguments_of_main);
}

// Before the program's constructors. glibc hands every constructor the arguments of main.
[[gnu::constructor(101)]] void hand_over(int argc, char** argv, char** /*environment*/) {
  arguments_of_main = argv;
  runtime::start_with_explorer = &start_with_explorer;
  const auto detector = support::value_of(support::kDetector);
  if (!detector) return;
  const std::string command = path_of_command();
  std::string program = argc > 0 ? argv[0] : "";
  if (program.find('/') == std::string::npos) {
    std::array<char, PATH_MAX> path;
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
    if (length > 0) program.assign(path.data(), static_cast<std::size_t>(length));
  }
  std::string detector_text(*detector);
  std::vector<std::string> words{command, "check", "--detector", detector_text, "--", program};
  for (int i = 1; i < argc; ++i) words.emplace_back(argv[i]);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(command.c_str(), arguments.data());
  std::fprintf(stderr, "anyorder: %s is set, but %s cannot be started: %s\n", support::kDetector.name,
               command.c_str(), std::strerror(errno));
  std::_Exit(support::kUsageExit);
}

}  // namespace
}  // namespace anyorder::binding
