// A program that is explored from outside: processes that run it in the orders that a search asks for,
// several at a time, until the search is over or a bound is reached.
//
// Contract: for the main thread of a process without others, while HeldSignals lives.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/explore.hpp"
#include "cli/held_signals.hpp"
#include "cli/progress.hpp"
#include "explore/channel.hpp"
#include "explore/shared_states.hpp"
#include "explore/state_space.hpp"

namespace anyorder::cli {

class ExploredProgram {
 public:
  ExploredProgram(const ExploreOptions& options, exploring::StateSpace& states, const HeldSignals& signals);
  ExploredProgram(const ExploredProgram&) = delete;
  ExploredProgram& operator=(const ExploredProgram&) = delete;
  ~ExploredProgram();

  // What the program's environment needs besides.
  [[nodiscard]] std::string setting() const;
  // Runs the program until the states are over, or something else ends it.
  void go(const std::filesystem::path& program, const std::vector<std::string>& environment);

  // The program was ended by a signal, or ended without a word, in the order of this schedule.
  struct Crash {
    exploring::Schedule schedule;
    int status;  // as wait gives it
  };
  [[nodiscard]] const std::optional<Crash>& crash() const { return crash_; }
  // The status of the run that was shown; nothing: it has not ended.
  [[nodiscard]] std::optional<int> status() const { return shown_status_; }
  [[nodiscard]] bool interrupted() const { return interrupted_; }
  // Nobody is left to run the program, although the search is not over.
  [[nodiscard]] bool deserted() const;
  [[nodiscard]] const std::vector<std::string>& not_covered() const { return not_covered_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  [[nodiscard]] const std::vector<exploring::SectionRun>& sections() const { return sections_; }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begun_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct UnderWay {
    exploring::StateSpace::Given given;
    bool shown = false;
    bool told = false;  // its account was there
    bool stopped = false;
  };
  struct Channel {
    int ours = -1;
    int theirs = -1;
    bool open = true;
    std::string stream;
    std::deque<UnderWay> under_way;  // in the order in which they will be told
    int process = 0;                 // that runs the first of them; 0: none yet
    Clock::time_point since;         // it has done so
  };

  void give_errands();
  // The longest that may be waited for something to happen.
  [[nodiscard]] int patience() const;
  void look_at_clock();
  void take_signals();
  void read_from(Channel& channel);
  // There is nobody at the other end any more: what was given there is to be given again.
  void lose(Channel& channel);
  void handle(Channel& channel, const exploring::Message& message);
  void accept(UnderWay& run, const exploring::Message& message);
  void ended(Channel& channel, int status);
  [[nodiscard]] std::uint64_t untold() const;
  [[nodiscard]] bool any_open() const;
  [[nodiscard]] bool shown_runs() const;
  [[nodiscard]] bool stopped() const;

  const ExploreOptions& options_;
  exploring::StateSpace& states_;
  const HeldSignals& signals_;
  exploring::SharedStates known_;
  std::vector<Channel> channels_;
  int signal_descriptor_ = -1;
  int program_ = 0;
  Clock::time_point begun_ = Clock::now();
  Progress progress_;
  bool any_given_ = false;
  bool interrupted_ = false;
  bool impatient_ = false;    // interrupted twice
  exploring::Schedule last_;  // that was told of
  std::optional<Crash> crash_;
  std::optional<int> shown_status_;
  std::vector<std::string> not_covered_;
  std::vector<std::string> notes_;
  std::vector<exploring::SectionRun> sections_;
};

}  // namespace anyorder::cli
