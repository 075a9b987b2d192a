#include "binding/explore/closure_explorer.hpp"

#include <chrono>
#include <sstream>

#include "binding/explore/words.hpp"
#include "explore/schedule.hpp"
#include "runtime/misuse.hpp"

namespace anyorder::binding {

using exploring::TaskNumber;

exploration ClosureExplorer::explore(void (*function)(void*), void* f, const exploration_bounds& bounds,
                                     const std::string& schedule, source_site site) {
  exploration unknown;
  if (!program_.instrumented()) {
    unknown.text =
        "unknown: no code of this program is instrumented. Compile it with `anyorder c++`, or with "
        "anyorder_instrument in CMake.\n";
    return unknown;
  }
  const auto wanted = exploring::schedule_in(schedule.empty() ? "0" : schedule);
  if (!wanted) runtime::throw_misuse(site, "replay of '" + schedule + "', which is no schedule");
  const Listening listening(program_);
  program_.set_body(function, f);
  exploring::Bounds limits;
  limits.runs = bounds.max_orders;
  limits.time = std::chrono::duration<double>(bounds.max_seconds);
  exploring::Search search(program_, exploring::Reduction::persistent, limits);
  // What the program does only the first time, such as to initialise statics, is over after this.
  if (schedule.empty()) program_.run_unobserved();
  const exploring::Result result = schedule.empty() ? search.go() : search.replay(*wanted);
  return answer_to(result);
}

exploration ClosureExplorer::answer_to(const exploring::Result& result) const {
  using exploring::Answer;
  exploration answer;
  answer.orders = result.runs;
  answer.states = result.states;
  std::ostringstream text;
  const std::vector<std::string> not_covered = program_.not_covered();
  const auto extent = [&] {
    text << "  orders of isolated sections" << (result.any_choice_made ? " and choices of await_one" : "")
         << " that were run: " << result.runs << "; states: " << result.states << "; "
         << (result.any_choice_made ? "of both" : "sections") << " in one run: at most " << result.deepest
         << '\n';
  };
  const auto unknown = [&] { answer.answer = exploration::verdict::unknown; };
  switch (result.answer) {
    case Answer::proved:
      if (not_covered.empty()) {
        answer.answer = exploration::verdict::proved;
        text << "proved: no race and no deadlock on any schedule of this input\n";
      } else {
        unknown();
        text << "unknown: nothing was found, but that is no proof:\n";
        for (const std::string& why : not_covered) text << "  " << why << '\n';
      }
      extent();
      break;
    case Answer::race:
    case Answer::deadlock:
      answer.schedule = exploring::to_text(result.schedule);
      if (result.answer == Answer::race) {
        answer.answer = exploration::verdict::race;
        text << in_words(*result.race, [&](TaskNumber task) { return name_of(task); });
      } else {
        answer.answer = exploration::verdict::deadlock;
        text << "deadlock: these tasks wait, and nothing can go on\n";
        for (const exploring::LiveTask& task : result.stuck) {
          text << "  " << name_of(task.number) << " waits at "
               << in_words(program_.tasks()[task.number].waits_at) << '\n';
        }
      }
      text << (result.any_choice_made ? "  the sections and the choices of await_one, in this order:\n"
                                      : "  the sections, in this order:\n");
      for (const ObservedProgram::SectionSeen& section : program_.sections()) {
        text << "    " << in_words(section.at) << ", of " << name_of(section.task);
        if (section.chosen) text << ", takes " << name_of(*section.chosen);
        text << '\n';
      }
      text << "  to see it again: ao::replay(\"" << answer.schedule << "\", …)\n";
      extent();
      break;
    case Answer::out_of_bounds:
      unknown();
      answer.schedule = exploring::to_text(result.schedule);
      text << "unknown: the bound of " << result.bound << " was reached, and nothing was found before\n";
      extent();
      break;
    case Answer::diverged:
      unknown();
      answer.schedule = exploring::to_text(result.schedule);
      text << "unknown: the program did something else when it was run again in the same order. It has to "
              "set its "
              "data to the same values each time, and may not depend on time, random numbers or addresses\n";
      extent();
      break;
  }
  answer.text = text.str();
  return answer;
}

std::string ClosureExplorer::name_of(TaskNumber task) const {
  if (task == 0) return "the closure itself";
  return "task " + std::to_string(task) + " (created at " + in_words(program_.tasks()[task].created_at) + ")";
}

}  // namespace anyorder::binding
