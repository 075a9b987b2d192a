// Holds what a detector found in a batch of programs against what the model predicts, byte by byte.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checked_run.hpp"
#include "model.hpp"
#include "program.hpp"

namespace anyorder::differential {

enum class DisagreementKind : std::uint8_t {
  missed,       // a racy byte was not reported
  false_alarm,  // a byte was reported that is not racy, or that is none of the program's
  verdict,      // unknown where it should be clean, or the other way round
  failure,      // the run did not end well, or did not do what the model did
};

struct Disagreement {
  DisagreementKind kind;
  std::string what;
};

struct Question {
  const Program* program;
  const Prediction* prediction;
};

// Runs the programs as one batch.
using BatchRun = std::function<CheckedRun(std::span<const Question>)>;

// By program. Programs that a batch leaves in doubt are run again, one by one.
[[nodiscard]] std::vector<std::optional<Disagreement>> compare(std::span<const Question> questions,
                                                               const BatchRun& run);

// The same for programs that have to be predicted first.
[[nodiscard]] std::vector<std::optional<Disagreement>> check(std::span<const Program> programs, Flaw flaw,
                                                             const BatchRun& run);

// A name for a byte: "v0 byte 3".
[[nodiscard]] std::string describe(const std::set<RacyByte>& bytes);

}  // namespace anyorder::differential
