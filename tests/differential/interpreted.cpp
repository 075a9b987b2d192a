#include "interpreted.hpp"

#include <fstream>
#include <stdexcept>

#include "text.hpp"

namespace anyorder::differential {

BatchRun interpreted_with(const std::string& detector) {
  return [detector](std::span<const Question> questions) {
    const ScratchFolder scratch;
    const auto path = (scratch.path() / "programs").string();
    std::ofstream file(path);
    for (const Question& question : questions) file << to_text(*question.program);
    if (!file.flush()) throw std::runtime_error(path + " cannot be written");
    return run_checked(detector, {ANYORDER_INTERPRETER, path}, questions.size());
  };
}

std::vector<std::optional<Disagreement>> check(const std::string& detector, std::span<const Program> programs,
                                               Flaw flaw) {
  std::vector<Prediction> predictions;
  predictions.reserve(programs.size());
  for (const Program& program : programs) predictions.push_back(predict(program, flaw));
  std::vector<Question> questions;
  for (std::size_t i = 0; i < programs.size(); ++i) questions.push_back({&programs[i], &predictions[i]});
  return compare(questions, interpreted_with(detector));
}

}  // namespace anyorder::differential
