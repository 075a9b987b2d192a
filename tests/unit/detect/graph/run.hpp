// A Program, run serially by the oracle.
#pragma once

#include "../serial_run.hpp"
#include "detect/graph/graph.hpp"
#include "findings/finding_set.hpp"

namespace anyorder::detect::graph {

// A program, run, and what was found.
struct Checked {
  findings::FindingSet findings;
  Graph graph{findings};

  explicit Checked(const Program& program) { SerialRun(graph).run(program); }

  [[nodiscard]] findings::Verdict verdict() const { return findings.verdict(); }
};

}  // namespace anyorder::detect::graph
