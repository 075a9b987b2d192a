#include "binding/explore/main_explorer.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <memory>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "binding/explore/to_findings.hpp"
#include "explore/channel.hpp"
#include "explore/search.hpp"
#include "explore/wire.hpp"
#include "record/writer.hpp"
#include "runtime/thread_root.hpp"
#include "support/settings.hpp"

namespace anyorder::binding {
namespace {

constexpr const char* kName = "explore";
// Of those that a report shows in words.
constexpr std::size_t kMostSections = 1000;

struct NoStates final : exploring::KnownStates {
  [[nodiscard]] bool contains(const exploring::Digest&) const override { return false; }
};

// At once, past all that the program has registered.
[[noreturn]] void leave(int code) {
  for (;;) syscall(SYS_exit_group, code);
}

// What the library was loaded by is for this process, not for those that it starts.
void hide_from_children() {
  unsetenv(support::kChannels.name);
  unsetenv(support::kSchedule.name);
  unsetenv(support::kRecord.name);
  const char* const preload = std::getenv("LD_PRELOAD");
  if (preload == nullptr) return;
  const std::string all = preload;
  const std::size_t others = all.find(':');
  if (others == std::string::npos) {
    unsetenv("LD_PRELOAD");
  } else {
    setenv("LD_PRELOAD", all.substr(others + 1).c_str(), 1);
  }
}

std::vector<int> numbers_in(std::string_view text) {
  std::vector<int> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    int number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc{}) return {};
    numbers.push_back(number);
    at = after != end ? after + 1 : after;
  }
  return numbers;
}

void replace(int descriptor, const char* path, int flags) {
  const int opened = open(path, flags | O_CLOEXEC);
  if (opened < 0) return;
  dup2(opened, descriptor);
  close(opened);
}

bool input_is_file() {
  struct stat input {};
  return fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode);
}

// Each run reads its input from the beginning, if that is a file.
void rewind_input() {
  if (!input_is_file()) return;
  const off_t begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
  replace(STDIN_FILENO, "/proc/self/fd/0", O_RDONLY);
  lseek(STDIN_FILENO, begin, SEEK_SET);
}

// Only a run that is shown has other input, and writes to where the user sees it.
void be_silent() {
  if (!input_is_file()) replace(STDIN_FILENO, "/dev/null", O_RDONLY);
  replace(STDOUT_FILENO, "/dev/null", O_WRONLY);
  replace(STDERR_FILENO, "/dev/null", O_WRONLY);
}

bool has_one_thread() {
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/self/task", error);
  return !error && std::distance(begin(threads), end(threads)) == 1;
}

std::string message_of(exploring::Message::Kind kind, std::uint64_t number) {
  exploring::ByteWriter text;
  text.number(number);
  return exploring::to_bytes(kind, text.bytes);
}

void record_findings(record::Writer& writer, const exploring::Trail& trail, const ObservedProgram& program) {
  if (trail.race) writer.add(to_finding(*trail.race, program));
  if (trail.ending == exploring::Ending::deadlock) writer.add(to_finding(trail.stuck, program));
}

std::vector<exploring::SectionRun> sections_of(const ObservedProgram& program) {
  std::vector<exploring::SectionRun> sections;
  for (const ObservedProgram::SectionSeen& seen : program.sections()) {
    if (sections.size() == kMostSections) break;
    sections.push_back({seen.task, seen.at.file, seen.at.line, seen.chosen});
  }
  return sections;
}

}  // namespace

bool MainExplorer::wanted() {
  return support::value_of(support::kChannels) || support::value_of(support::kSchedule);
}

int MainExplorer::run(Main main, int argc, char** argv, char** environment) {
  call_ = {main, argc, argv, environment, 0};
  if (!program_.instrumented() || !wanted()) return main(argc, argv, environment);
  std::string channels;
  std::string schedule;
  {
    const events::InsideTool inside;
    channels = support::value_of(support::kChannels).value_or("");
    schedule = support::value_of(support::kSchedule).value_or("");
    records_ = support::value_of(support::kRecord).value_or("");
    hide_from_children();
  }
  {
    // A run of nothing: what the first one looks up and allocates, no copy of this process has to.
    const Listening listening(program_);
    program_.set_body([](void*) {}, nullptr);
    program_.run_unobserved();
    program_.set_body(
        [](void* of) {
          auto& call = *static_cast<Call*>(of);
          call.result = call.main(call.argc, call.argv, call.environment);
        },
        &call_);
  }
  return schedule.empty() ? explore(channels) : replay(schedule);
}

int MainExplorer::replay(const std::string& schedule) {
  const auto listening = std::make_unique<Listening>(program_);
  record::Writer writer(records_, kName);
  writer.instrumented();
  if (writer.usable()) program_.count_in(&writer.counters_of_this_thread());
  exploring::Run run;
  const NoStates no_states;
  exploring::Guide guide(run, program_,
                         {exploring::schedule_in(schedule).value_or(exploring::Schedule{}), {}}, no_states,
                         exploring::Bounds{}.depth);
  bool told = false;
  const auto tell = [&] {
    if (std::exchange(told, true)) return;
    const exploring::Trail trail = guide.take_trail();
    record_findings(writer, trail, program_);
    if (trail.ending == exploring::Ending::diverged) {
      writer.add(
          findings::Unsupported{"schedule",
                                "The program has no such order of isolated sections, or it does not do the "
                                "same each time that it runs.",
                                {}});
    }
    if (trail.ending == exploring::Ending::too_deep) {
      writer.add(
          findings::Unsupported{"schedule", "The run has too many isolated sections to be judged.", {}});
    }
    for (const std::string& why : program_.not_covered()) {
      writer.add(findings::Unsupported{"replay", "Not covered: " + why + ".", {}});
    }
    for (const std::string& note : program_.notes()) writer.note(note);
    writer.ended(record::Ending::complete, findings::Coverage::one_isolated_order, {});
  };
  program_.when_done(tell);
  program_.when_forked([&] { told = true; });
  program_.run(guide);
  tell();
  program_.when_done(nullptr);
  program_.when_forked(nullptr);
  program_.count_in(nullptr);
  return call_.result;
}

int MainExplorer::explore(std::string_view channels) {
  std::vector<int> all;
  {
    const events::InsideTool inside;
    all = numbers_in(channels);
    if (all.size() < 2) leave(support::kUsageExit);
    states_ = std::make_unique<exploring::SharedStates>(all.back());
    all.pop_back();
    record::Writer writer(records_, kName);
    writer.instrumented();
    if (!runtime::at_rest()) {
      writer.add(
          findings::Unsupported{"task before main",
                                "Constructors of static objects have created tasks; these are not explored.",
                                {}});
    }
    writer.ended(record::Ending::complete, findings::Coverage::all_schedules, {});
  }
  for (const int channel : all) {
    if (fork() != 0) continue;
    for (const int other : all) {
      if (other != channel) close(other);
    }
    return serve(channel);
  }
  for (const int channel : all) close(channel);
  while (wait(nullptr) > 0 || errno == EINTR) {
  }
  leave(0);
}

int MainExplorer::serve(int channel) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Ctrl-C is for who searches.
  std::signal(SIGINT, SIG_IGN);
  fcntl(channel, F_SETFD, FD_CLOEXEC);
  using Kind = exploring::Message::Kind;
  std::string news;  // of the last run, sent with those of the next
  const bool alone = has_one_thread();
  for (bool first = true;; first = false) {
    // The copy is to be this process in all but its number. Without other threads, whose locks it would have
    // to release, fork() does nothing else that it needs, and costs it seven of a hundred page faults.
    const pid_t child = alone ? _Fork() : fork();
    if (child == 0) return run_for(channel, !first);
    int status = 0;
    {
      const events::InsideTool inside;
      if (child > 0) news += message_of(Kind::begun, static_cast<std::uint64_t>(child));
      if (!exploring::send(channel, news) || child < 0) leave(0);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    const events::InsideTool inside;
    news = message_of(Kind::ended, static_cast<unsigned>(status));
    // What is shown is the first run of all; those that follow are copies of a silent process.
    if (first) be_silent();
  }
}

int MainExplorer::run_for(int channel, bool silent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto listening = std::make_unique<Listening>(program_);
  const auto message = exploring::receive(channel);
  if (!message) leave(0);
  const exploring::Order order = exploring::order_in(message->text);
  if (!silent && !order.shown) be_silent();
  rewind_input();

  exploring::Run run;
  exploring::Guide guide(run, program_, order.errand, *states_, order.most_sections);
  bool told = false;
  const auto tell = [&] {
    if (std::exchange(told, true)) return;
    exploring::Account account;
    account.trail = guide.take_trail();
    account.not_covered = program_.not_covered();
    account.notes = program_.notes();
    using exploring::Ending;
    const Ending ending = account.trail.ending;
    if (ending == Ending::race || ending == Ending::deadlock) {
      record::Writer writer(records_, kName);
      record_findings(writer, account.trail, program_);
      writer.ended(record::Ending::complete, findings::Coverage::all_schedules, {});
    }
    if (ending != Ending::complete && ending != Ending::known) account.sections = sections_of(program_);
    exploring::Learnt learnt;
    run.teach(learnt);
    exploring::ByteWriter out;
    write(out, learnt);
    account.learnt = std::move(out.bytes);
    exploring::send(channel, exploring::Message::Kind::account, to_bytes(account));
    if (!order.shown) leave(0);
  };
  program_.when_done(tell);
  program_.when_forked([&] {
    told = true;
    close(channel);
    if (!order.shown) prctl(PR_SET_PDEATHSIG, SIGKILL);
  });
  program_.run(guide);
  tell();
  program_.when_done(nullptr);
  program_.when_forked(nullptr);
  return call_.result;
}

}  // namespace anyorder::binding
