// One run of one program in one of the ways that are compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "findings/verdict.hpp"
#include "record/run.hpp"

namespace bench {

// A way to run a program: one column of the table.
// serial: the plain program, told to work without tasks. joins: told to synchronise by futures alone, under
// the join policy that the column is named after. tbb, tbb_tsan: on plain oneTBB (bench/plain_tbb).
enum class Way : std::uint8_t { serial, plain, hooks, detector, tsan, tbb, tbb_tsan, joins };

struct Column {
  Way way;
  std::string name;                    // of the detector or the join policy, if it is one
  unsigned workers = 0;                // of the parallel executor; 0: the serial one
  std::string instrumented = "hooks";  // or "pass": by what, if it is
};

// The name; in parallel with the number of workers: "plain/2".
[[nodiscard]] std::string label_of(const Column& column);

struct Sample {
  double seconds;            // of the work, by the program's own clock
  double processor_seconds;  // of the work, all threads together
  double peak_bytes;         // of resident memory, to the end of the work
};

// What a program printed; nothing unless it has the line that bench/programs/measured.hpp describes, for this
// program and size.
[[nodiscard]] std::optional<Sample> sample_in(const std::string& output, const std::string& program,
                                              long size);

// What the detector counted; see record::Process::statistics.
using Statistics = std::vector<std::pair<std::string, double>>;

struct Outcome {
  std::optional<Sample> sample;         // none: the run failed, and `complaint` says how
  std::string complaint;                // a sentence
  anyorder::record::Counters counters;  // of a checked run
  Statistics statistics;                // of a checked run, by the names of the JSON's "stats"
  anyorder::findings::Verdict verdict = anyorder::findings::Verdict::clean;
};

// Runs the program; its stdout is read, its stderr is ours. Throws what the command's parts throw
// if the check cannot be set up.
[[nodiscard]] Outcome run(const std::string& program, long size, const Column& column);

}  // namespace bench
