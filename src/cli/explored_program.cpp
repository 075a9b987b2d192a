#include "cli/explored_program.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "cli/child.hpp"
#include "cli/exit_code.hpp"
#include "explore/search.hpp"
#include "explore/wire.hpp"
#include "support/settings.hpp"

namespace anyorder::cli {
namespace {

constexpr unsigned kMostProcesses = 16;
// One that runs, and one for when that is over.
constexpr std::size_t kErrandsPerChannel = 2;

// What was learnt in one process is of use to the next only if both have everything at the same addresses.
// Where that is not allowed, the search goes on all the same: all its processes are copies of one.
class SameAddresses {
 public:
  SameAddresses() : before_(::personality(kAsk)) {
    if (before_ != -1) ::personality(static_cast<unsigned long>(before_) | ADDR_NO_RANDOMIZE);
  }
  SameAddresses(const SameAddresses&) = delete;
  SameAddresses& operator=(const SameAddresses&) = delete;
  ~SameAddresses() {
    if (before_ != -1) ::personality(static_cast<unsigned long>(before_));
  }

 private:
  static constexpr unsigned long kAsk = 0xffffffff;
  int before_;
};

// Until nobody has the other end any more: a program whose processes still run could not be built anew. Not
// for ever, since others may have inherited it.
void await_silence(int descriptor) {
  constexpr int kMostMilliseconds = 1000;
  std::array<char, 1U << 12U> bytes;
  pollfd waited{descriptor, POLLIN, 0};
  while (::poll(&waited, 1, kMostMilliseconds) > 0 && ::recv(descriptor, bytes.data(), bytes.size(), 0) > 0) {
  }
}

void add_once(std::vector<std::string>& all, std::string text) {
  if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
}

}  // namespace

ExploredProgram::ExploredProgram(const ExploreOptions& options, exploring::StateSpace& states,
                                 const HeldSignals& signals)
    : options_(options), states_(states), signals_(signals) {
  for (const exploring::Node& node : states_.nodes()) known_.add(node.state);
  // One more than there are processors, for when one waits to be scheduled: on two that others use as well, a
  // quarter more orders per second.
  const unsigned count = std::clamp(std::thread::hardware_concurrency() + 1, 2U, kMostProcesses);
  for (unsigned i = 0; i != count; ++i) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      throw EnvironmentError("There are no file descriptors left.");
    }
    channels_.push_back({ends[0], ends[1], true, {}, {}, 0, {}});
  }
}

ExploredProgram::~ExploredProgram() {
  // The processes that it started end with it.
  if (program_ > 0) {
    ::kill(program_, SIGKILL);
    ::waitpid(program_, nullptr, 0);
    for (const Channel& channel : channels_) await_silence(channel.ours);
  }
  for (const Channel& channel : channels_) {
    ::close(channel.ours);
    if (channel.theirs >= 0) ::close(channel.theirs);
  }
  if (signal_descriptor_ >= 0) ::close(signal_descriptor_);
}

std::string ExploredProgram::setting() const {
  std::string text = std::string(support::kChannels.name) + "=";
  for (const Channel& channel : channels_) text += std::to_string(channel.theirs) + ",";
  return text + std::to_string(known_.descriptor());
}

void ExploredProgram::go(const std::filesystem::path& program, const std::vector<std::string>& environment) {
  begun_ = Clock::now();
  signal_descriptor_ = ::signalfd(-1, &signals_.held(), SFD_CLOEXEC | SFD_NONBLOCK);
  {
    const SameAddresses same;
    for (const Channel& channel : channels_) ::fcntl(channel.theirs, F_SETFD, 0);
    ::fcntl(known_.descriptor(), F_SETFD, 0);
    program_ = start_child(program, options_.command, environment, signals_);
  }
  for (Channel& channel : channels_) ::close(std::exchange(channel.theirs, -1));

  while (!stopped()) {
    give_errands();
    if (stopped()) break;
    std::vector<pollfd> waited;
    for (const Channel& channel : channels_) waited.push_back({channel.open ? channel.ours : -1, POLLIN, 0});
    waited.push_back({signal_descriptor_, POLLIN, 0});
    ::poll(waited.data(), waited.size(), patience());
    if (waited.back().revents != 0) take_signals();
    for (std::size_t i = 0; i != channels_.size(); ++i) {
      if (waited[i].revents != 0) read_from(channels_[i]);
    }
    look_at_clock();
    progress_.show(states_);
  }
  progress_.clear();
}

bool ExploredProgram::any_open() const {
  return std::any_of(channels_.begin(), channels_.end(), [](const Channel& c) { return c.open; });
}

bool ExploredProgram::deserted() const { return !any_open() && !states_.over() && !crash_ && !interrupted_; }

bool ExploredProgram::stopped() const {
  if (impatient_ || !any_open()) return true;
  if (shown_runs() && !crash_ && !interrupted_ && seconds() < options_.max_seconds) return false;
  return states_.over() || crash_ || interrupted_;
}

bool ExploredProgram::shown_runs() const {
  return std::any_of(channels_.begin(), channels_.end(), [](const Channel& channel) {
    return std::any_of(channel.under_way.begin(), channel.under_way.end(),
                       [](const UnderWay& run) { return run.shown; });
  });
}

std::uint64_t ExploredProgram::untold() const {
  std::uint64_t count = 0;
  for (const Channel& channel : channels_) {
    count += static_cast<std::uint64_t>(std::count_if(channel.under_way.begin(), channel.under_way.end(),
                                                      [](const UnderWay& run) { return !run.told; }));
  }
  return count;
}

void ExploredProgram::give_errands() {
  for (std::size_t round = 0; round != kErrandsPerChannel; ++round) {
    for (Channel& channel : channels_) {
      if (!channel.open || channel.under_way.size() > round) continue;
      if (states_.over()) return;
      if (states_.runs() + untold() >= options_.max_orders) {
        if (untold() == 0) states_.end(exploring::Answer::out_of_bounds, last_, "orders");
        return;
      }
      auto given = states_.next();
      if (!given) return;
      const bool shown = !std::exchange(any_given_, true);
      const exploring::Order order{given->errand, exploring::Bounds{}.depth, shown};
      if (channel.under_way.empty()) channel.since = Clock::now();
      channel.under_way.push_back({std::move(*given), shown, false, false});
      if (!exploring::send(channel.ours, exploring::Message::Kind::errand, to_bytes(order))) lose(channel);
    }
  }
}

int ExploredProgram::patience() const {
  constexpr int kTick = 100;  // milliseconds
  const bool bounded = options_.max_seconds < 1e9 || options_.max_run_seconds < 1e9;
  return bounded || progress_.is_shown() ? kTick : -1;
}

void ExploredProgram::look_at_clock() {
  if (seconds() > options_.max_seconds && !states_.over()) {
    states_.end(exploring::Answer::out_of_bounds, last_, "seconds");
  }
  const auto now = Clock::now();
  for (Channel& channel : channels_) {
    if (channel.under_way.empty()) continue;
    UnderWay& run = channel.under_way.front();
    if (channel.process == 0 || run.stopped) continue;
    if (std::chrono::duration<double>(now - channel.since).count() < options_.max_run_seconds) continue;
    run.stopped = true;
    ::kill(channel.process, SIGKILL);
  }
}

void ExploredProgram::take_signals() {
  signalfd_siginfo info{};
  while (::read(signal_descriptor_, &info, sizeof(info)) == sizeof(info)) {
    if (info.ssi_signo == SIGCHLD) continue;
    impatient_ = interrupted_;
    interrupted_ = true;
  }
}

void ExploredProgram::read_from(Channel& channel) {
  std::array<char, 1U << 16U> bytes;
  const ssize_t got = ::recv(channel.ours, bytes.data(), bytes.size(), 0);
  if (got <= 0) {
    if (got == 0 || errno != EINTR) lose(channel);
    return;
  }
  channel.stream.append(bytes.data(), static_cast<std::size_t>(got));
  while (const auto message = exploring::take_message(channel.stream)) handle(channel, *message);
}

void ExploredProgram::lose(Channel& channel) {
  channel.open = false;
  for (const UnderWay& run : channel.under_way) {
    if (!run.told) states_.give_up(run.given);
  }
  channel.under_way.clear();
}

void ExploredProgram::handle(Channel& channel, const exploring::Message& message) {
  using Kind = exploring::Message::Kind;
  const auto number = [&] { return static_cast<int>(exploring::ByteReader(message.text).number()); };
  if (message.kind == Kind::ended) {
    channel.process = 0;
    ended(channel, number());
  } else if (message.kind == Kind::begun) {
    channel.process = number();
    channel.since = Clock::now();
  } else if (message.kind == Kind::account) {
    // That of the next run may be there before it was said that the last one has ended.
    const auto run = std::find_if(channel.under_way.begin(), channel.under_way.end(),
                                  [](const UnderWay& candidate) { return !candidate.told; });
    if (run != channel.under_way.end()) accept(*run, message);
  }
}

void ExploredProgram::accept(UnderWay& run, const exploring::Message& message) {
  run.told = true;
  exploring::Account account = exploring::account_in(message.text);
  if (states_.over()) return;
  exploring::ByteReader learnt(account.learnt);
  read_learnt(learnt, states_.learnt());
  for (std::string& why : account.not_covered) add_once(not_covered_, std::move(why));
  for (std::string& note : account.notes) add_once(notes_, std::move(note));
  last_ = account.trail.choices;
  const std::size_t before = states_.nodes().size();
  states_.accept(run.given, std::move(account.trail));
  for (std::size_t i = before; i != states_.nodes().size(); ++i) known_.add(states_.nodes()[i].state);
  if (states_.over()) sections_ = std::move(account.sections);
}

void ExploredProgram::ended(Channel& channel, int status) {
  if (channel.under_way.empty()) return;
  const UnderWay run = std::move(channel.under_way.front());
  channel.under_way.pop_front();
  if (run.shown && !run.stopped) shown_status_ = status;
  if (run.told || states_.over()) return;
  if (run.stopped) {
    states_.end(exploring::Answer::out_of_bounds, run.given.errand.choices, "seconds in one run");
  } else if (!crash_) {
    crash_ = {run.given.errand.choices, status};
  }
}

}  // namespace anyorder::cli
