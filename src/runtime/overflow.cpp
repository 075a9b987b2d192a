#include "runtime/overflow.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events/memory.hpp"
#include "runtime/worker.hpp"
#include "support/settings.hpp"

namespace anyorder::runtime {
namespace {

constexpr std::size_t kSignalStack = std::size_t{64} << 10;

struct sigaction previous_action;

// Only what may be called in a signal handler.
class Line {
 public:
  Line& operator<<(const char* text) noexcept {
    while (*text != '\0' && length_ < sizeof(text_)) text_[length_++] = *text++;
    return *this;
  }
  Line& operator<<(std::size_t number) noexcept {
    const auto [end, error] = std::to_chars(text_ + length_, text_ + sizeof(text_), number);
    if (error == std::errc{}) length_ = static_cast<std::size_t>(end - text_);
    return *this;
  }
  void print() const noexcept { [[maybe_unused]] const auto written = write(STDERR_FILENO, text_, length_); }

 private:
  char text_[512];
  std::size_t length_ = 0;
};

void print_size(Line& line, std::size_t bytes, const char* mib, const char* kib) noexcept {
  constexpr std::size_t kMib = std::size_t{1} << 20U;
  if (bytes >= kMib) {
    line << bytes / kMib << mib;
  } else {
    line << bytes / 1024 << kib;
  }
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const Worker* const worker = this_worker();
  const Strand* const strand = worker == nullptr ? nullptr : worker->strand;
  const bool sent = info->si_code <= 0;  // by raise or kill, not by an access
  if (sent || strand == nullptr || !strand->memory.guards(info->si_addr)) {
    // Not ours: whoever was there before decides, or the default action at the next fault; one that was sent
    // does not come again by itself, and is due when this handler returns.
    if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
      previous_action.sa_sigaction(signal, info, context);
    } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
      previous_action.sa_handler(signal);
    } else if (!sent || previous_action.sa_handler == SIG_DFL) {
      if (auto* const listener = events::attached_memory_listener) listener->aborting();
      ::signal(signal, SIG_DFL);
      if (sent) ::raise(signal);
    }
    return;
  }
  Line line;
  line << "anyorder: stack overflow: a task has used up the ";
  print_size(line, strand->memory.bytes(), " MiB", " KiB");
  line << " of its stack";
  if (strand->task != nullptr) {
    line << " (created at " << strand->task->site.file << ":" << std::size_t{strand->task->site.line} << ")";
  }
  if (strand == worker->serial.get()) {
    line << ". The serial executor nests every task on one stack: give it more address space with "
         << support::kStack.name << ", for example " << support::kStack.name << "=";
    print_size(line, strand->memory.bytes() * 4, "M", "K");
    line << "\n";

  } else {
    line << ". It recurses too deep, or keeps too much in local variables\n";
  }
  line.print();
  ::signal(SIGABRT, SIG_DFL);
  std::abort();
}

void install_handler() {
  struct sigaction action {};
  action.sa_sigaction = &on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous_action);
}

}  // namespace

OverflowMessage::OverflowMessage() {
  static std::once_flag once;
  std::call_once(once, &install_handler);
  stack_t present{};
  sigaltstack(nullptr, &present);
  if ((present.ss_flags & SS_DISABLE) == 0) return;
  void* const memory =
      mmap(nullptr, kSignalStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t wanted{};
  wanted.ss_sp = memory;
  wanted.ss_size = kSignalStack;
  if (sigaltstack(&wanted, nullptr) == 0) {
    stack_ = memory;
  } else {
    munmap(memory, kSignalStack);
  }
}

OverflowMessage::~OverflowMessage() {
  if (stack_ == nullptr) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  munmap(stack_, kSignalStack);
}

}  // namespace anyorder::runtime
