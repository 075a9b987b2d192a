#include "cli/explore.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <sys/wait.h>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/explored_program.hpp"
#include "cli/kept_exploration.hpp"
#include "cli/observed_run.hpp"
#include "cli/options.hpp"
#include "cli/words.hpp"
#include "explore/search.hpp"
#include "record/reader.hpp"
#include "report/signals.hpp"
#include "support/settings.hpp"

namespace anyorder::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExploreDescription =
    R"(Runs a program that was compiled with `anyorder c++` again and again, in every order of its isolated sections that
matters, until it has found a race or a deadlock, or has proved that no schedule of this input has one.

The first run has the program's standard streams; the others write nowhere. The report goes to stderr. Exit codes: 0
proved (or the program's own, if it is another), 66 a race or a deadlock, 65 unknown, 64 wrong usage, 70 an error of the
tool.)";

constexpr const char* kReplayDescription =
    R"(Runs a program once, in the order of isolated sections that `anyorder explore` has told.

The program may also be a debugger: anyorder replay 1.0.2 -- gdb --args ./app. Exit codes as those of anyorder check.)";

// What is not a number at all is said elsewhere; "nan" is none either.
std::string reject_negative(const std::string& text) {
  double number = -1;
  if (!CLI::detail::lexical_cast(text, number) || number >= 0) return {};
  return text + " is not a number from 0 on";
}
std::string reject_zero(const std::string& text) {
  double number = -1;
  if (!CLI::detail::lexical_cast(text, number) || number != 0) return {};
  return "it cannot be 0";
}

// The shell's last word is that of another command.
std::vector<std::string> environment_for(const fs::path& program) {
  std::vector<std::string> environment = own_environment();
  for (std::string& entry : environment) {
    if (entry.starts_with("_=")) entry = "_=" + program.string();
  }
  return environment;
}

std::string bound_in_words(const ExploreOptions& options, const std::string& bound) {
  std::ostringstream number;
  if (bound == "orders") {
    number << options.max_orders;
  } else if (bound == "seconds") {
    number << options.max_seconds;
  } else if (bound == "seconds in one run") {
    number << options.max_run_seconds;
  } else {
    number << exploring::Bounds{}.depth;
  }
  return number.str() + " " + bound;
}

// What keeps it from being a proof.
std::vector<findings::Unsupported> not_judged(const ExploreOptions& options, const ExploredProgram& program,
                                              const exploring::Result& result, bool resumed, bool lost) {
  std::vector<findings::Unsupported> all;
  const auto add = [&](const std::string& what, const std::string& why) {
    all.push_back({what, why, {}, 1});
  };
  const std::string go_on = options.resume.empty() ? " With --resume FILE the next time does not begin anew."
                                                   : " The same command goes on from here.";
  using exploring::Answer;
  if (program.interrupted()) {
    add("exploration that was interrupted", "Nothing was found until then." + go_on);
  } else if (lost) {
    add("exploration that has lost its processes",
        "Something has ended the processes that ran the program, or there could be no more of them (is there "
        "enough memory?). Nothing was found until then." +
            go_on);
  } else if (const auto& crash = program.crash()) {
    const std::string how = WIFSIGNALED(crash->status)
                                ? "was ended by " + report::signal_name(WTERMSIG(crash->status))
                                : "ended with exit code " + std::to_string(WEXITSTATUS(crash->status)) +
                                      " and without a word: before its tasks had, by another program that it "
                                      "became (exec), or after "
                                      "it had closed descriptors that are not its own";
    add("order in which the program fails",
        "In the last order, below, the program " + how + ". The others are not explored.");
  } else if (result.answer == Answer::out_of_bounds) {
    const bool too_deep = result.bound == "sections in one run";
    add("exploration that reached a bound",
        "The bound of " + bound_in_words(options, result.bound) +
            " was reached, and nothing was found until then." +
            (too_deep ? " Does the program end, in this order? That bound is a fixed one." : go_on));
  } else if (result.answer == Answer::diverged) {
    add("program that does not repeat itself",
        std::string("It did something else when it was run again in the same order. Its runs may depend on "
                    "nothing but "
                    "their input: not on time, random numbers, the number of the process, addresses, "
                    "files that it changes, or standard input that is no file.") +
            (resumed ? " Or the addresses in " + options.resume + " are not those of this start: remove it."
                     : ""));
  }
  if (result.answer == Answer::proved || result.answer == Answer::out_of_bounds) {
    for (const std::string& why : program.not_covered()) add("exploration", "Not covered: " + why + ".");
  }
  return all;
}

report::RunFacts facts_of(const ExploreOptions& options, const ExploredProgram& program,
                          const exploring::Result& result) {
  report::RunFacts facts;
  facts.command = options.command;
  facts.detector = "explore";
  facts.interrupted = program.interrupted();
  facts.seconds = program.seconds();
  if (const auto status = program.status()) {
    facts.signal = WIFSIGNALED(*status) ? WTERMSIG(*status) : 0;
    facts.exit_code = WIFEXITED(*status) ? WEXITSTATUS(*status) : 0;
  }
  report::Exploration exploration{result.runs, result.states,         result.deepest, {}, {},
                                  {},          result.any_choice_made};
  if (result.answer != exploring::Answer::proved || program.crash()) {
    exploration.schedule = exploring::to_text(program.crash() ? program.crash()->schedule : result.schedule);
    std::vector<std::string> words{"anyorder", "replay", exploration.schedule, "--"};
    words.insert(words.end(), options.command.begin(), options.command.end());
    exploration.replay = quoted_for_shell(words);
  }
  for (const exploring::SectionRun& section : program.sections()) {
    exploration.sections.push_back({section.task, section.file, section.line, section.chosen});
  }
  facts.exploration = std::move(exploration);
  return facts;
}

}  // namespace

std::optional<ExploreOptions> explore_options(std::span<const std::string> arguments) {
  ExploreOptions options;
  CLI::App app(kExploreDescription, "anyorder explore");
  add_program_options(app, options);
  app.add_option("--max-orders", options.max_orders, "stop after so many runs of the program")
      ->type_name("N")
      ->check(reject_negative);
  app.add_option("--max-seconds", options.max_seconds, "stop after so many seconds")
      ->type_name("S")
      ->check(reject_negative);
  app.add_option("--max-run-seconds", options.max_run_seconds,
                 "stop if one run of the program takes longer; default 60")
      ->type_name("S")
      ->check(reject_negative)
      ->check(reject_zero);
  app.add_option("--resume", options.resume,
                 "go on from this file, if it is there; keep there what was learnt")
      ->type_name("FILE");
  if (!parse_program(app, options, arguments)) return std::nullopt;
  return options;
}

int explore(std::span<const std::string> arguments) {
  const auto options = explore_options(arguments);
  if (!options) return kExitSuccess;
  const Observation observation{*options};
  const auto program = program_for(options->command.front());
  exploring::StateSpace states(exploring::Reduction::persistent);
  const auto library = library_for("explore");
  const std::vector<std::string> inherited = environment_for(program);
  std::optional<ExploredInput> input;
  if (!options->resume.empty()) {
    input = input_of(options->command, program, library, inherited);
    restore(options->resume, *input, states);
  }
  const HeldSignals signals;
  ReportFiles files(observation);
  std::optional<ReportFile> keeps;
  if (!options->resume.empty()) keeps.emplace(options->resume);
  const bool resumed = !states.nodes().empty();
  const auto records = folder_for_records();

  ExploredProgram explored(*options, states, signals);
  const std::vector<std::string> settings{
      explored.setting(), std::string(support::kRecord.name) + "=" + records->path().string()};
  explored.go(program, observed_environment(inherited, library, settings));

  const exploring::Result result = states.result();
  auto processes = record::read_all(records->path().string());
  const bool begun = std::any_of(processes.begin(), processes.end(),
                                 [](const record::Process& process) { return process.instrumented; });
  const bool lost = begun && explored.deserted();
  record::Process searcher;
  searcher.ending = record::Ending::complete;
  searcher.findings.unsupported = not_judged(*options, explored, result, resumed, lost);
  searcher.notes = explored.notes();
  // Of a program that was stopped before it could say so, it is not known.
  searcher.instrumented =
      explored.interrupted() || (result.answer == exploring::Answer::out_of_bounds && result.runs == 0);
  processes.push_back(std::move(searcher));
  auto facts = facts_of(*options, explored, result);
  if (keeps && (explored.interrupted() || lost || result.answer == exploring::Answer::out_of_bounds)) {
    keeps->write(kept(*input, states));
  }
  return publish(report::make_report(processes, std::move(facts)), observation, files);
}

int replay(std::span<const std::string> arguments) {
  CLI::App app(kReplayDescription, "anyorder replay");
  ProgramOptions options;
  add_program_options(app, options);
  set_usage(app, "anyorder replay [options] SCHEDULE [--] ./program arguments…");
  auto left = parse_words(app, arguments);
  if (!left) return kExitSuccess;
  std::vector<std::string>& words = *left;
  const auto fail = [](const std::string& what) {
    throw UsageError(what + " Usage: anyorder replay SCHEDULE -- ./program arguments…");
  };
  if (words.empty()) fail("There is no schedule.");
  const std::string schedule = words.front();
  if (!exploring::schedule_in(schedule)) {
    fail("'" + schedule +
         "' is no schedule, such as anyorder explore tells: numbers with dots between them.");
  }
  words.erase(words.begin());
  if (!words.empty() && words.front() == "--") words.erase(words.begin());
  if (words.empty()) fail("There is no program to replay.");
  options.command = std::move(words);
  Observation observation{options};
  observation.library = "explore";
  observation.judge.detector = "explore";
  observation.settings.push_back(std::string(support::kSchedule.name) + "=" + schedule);
  return observe(observation);
}

}  // namespace anyorder::cli
