#include "interpreted.hpp"

#include <fstream>
#include <stdexcept>

#include "record/folder.hpp"
#include "text.hpp"

namespace anyorder::differential {

BatchRun interpreted_with(const DetectorChoice& detector) {
  return [detector](std::span<const Question> questions) {
    const record::Folder scratch;
    const auto path = (scratch.path() / "programs").string();
    std::ofstream file(path);
    for (const Question& question : questions) file << to_text(*question.program);
    if (!file.flush()) throw std::runtime_error(path + " cannot be written");
    return run_checked(detector, {ANYORDER_INTERPRETER, path}, questions.size());
  };
}

}  // namespace anyorder::differential
