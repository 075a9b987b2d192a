#include "runs/rounds.hpp"

#include <iostream>
#include <signal.h>
#include <unistd.h>

namespace bench {
namespace {

using anyorder::findings::Verdict;

volatile sig_atomic_t interrupted = 0;

// The program that runs gets the terminal's SIGINT, too, and ends by it.
void end_at_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
}

// One line on a terminal, which each call replaces.
class Progress {
 public:
  explicit Progress(std::size_t rounds) : rounds_(rounds), shown_(::isatty(STDERR_FILENO) != 0) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void tell(std::size_t round, const ProgramResults& program, const Column& column) {
    if (!shown_) return;
    clear();
    std::cerr << "round " << round + 1 << " of " << rounds_ << ": " << program.name << ' ' << program.size
              << ", " << label_of(column) << std::flush;
  }
  void clear() {
    if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  }

 private:
  std::size_t rounds_;
  bool shown_;
};

// False: the result cannot be right.
bool take(ProgramResults& program, Series& series, const Column& column, const Outcome& outcome) {
  if (column.way == Way::detector) {
    if (outcome.sample && !program.counters) {
      program.counters = outcome.counters;
      program.statistics = outcome.statistics;
    }
    // Unknown: the detector does not know all constructs of the program, and did less than a check.
    if (outcome.verdict != Verdict::clean) series.remark = to_string(outcome.verdict);
    if (outcome.verdict == Verdict::race || outcome.verdict == Verdict::deadlock) {
      std::cerr << program.name << " " << program.size << ", " << label_of(column)
                << ": the program has nothing of the kind, but the verdict is " << series.remark << ".\n";
      return false;
    }
  }
  if (!outcome.sample) {
    series.remark = "failed";
    std::cerr << program.name << " " << program.size << ", " << label_of(column) << ": the run failed. "
              << outcome.complaint << '\n';
    return false;
  }
  series.rounds.back() = outcome.sample;
  return true;
}

bool run_in_turns(Measurements& all, ProgramResults& program, std::size_t round, Progress& progress) {
  bool right = true;
  for (Series& series : program.columns) series.rounds.emplace_back();
  for (std::size_t turn = 0; turn < all.columns.size(); ++turn) {
    const std::size_t column = (round + turn) % all.columns.size();
    Series& series = program.columns[column];
    if (!series.remark.empty()) continue;
    progress.tell(round, program, all.columns[column]);
    const Outcome outcome = run(program.name, program.size, all.columns[column]);
    progress.clear();
    if (interrupted != 0) break;
    right &= take(program, series, all.columns[column], outcome);
  }
  return right;
}

}  // namespace

bool run_rounds(Measurements& all, std::size_t rounds) {
  end_at_interrupt();
  Progress progress(rounds);
  bool right = true;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (ProgramResults& program : all.programs) {
      right &= run_in_turns(all, program, round, progress);
      if (interrupted != 0) return right;
    }
  }
  return right;
}

bool was_interrupted() { return interrupted != 0; }

}  // namespace bench
