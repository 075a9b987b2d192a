#include "printed.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "print.hpp"
#include "record/folder.hpp"

namespace anyorder::differential {

BatchRun printed_with(const DetectorChoice& detector, const std::string& compiler,
                      const std::vector<std::string>& flags) {
  return [=](std::span<const Question> questions) {
    const record::Folder scratch;
    const auto source = (scratch.path() / "programs.cpp").string();
    const auto executable = (scratch.path() / "programs").string();
    std::vector<Program> programs;
    for (const Question& question : questions) programs.push_back(*question.program);
    std::ofstream file(source);
    file << to_cpp(programs);
    if (!file.flush()) throw std::runtime_error(source + " cannot be written");

    std::vector<std::string> command{ANYORDER_COMMAND, "c++"};
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {source, "-o", executable});
    CheckedRun result;
    result.failure = run_process(command, {"ANYORDER_CXX=" + compiler}, scratch.path() / "output");
    if (!result.failure.empty()) {
      result.failure = "the compiler " + result.failure;
      return result;
    }
    return run_checked(detector, {executable}, questions.size());
  };
}

}  // namespace anyorder::differential
