#include "cli/progress.hpp"

#include <cstdio>
#include <unistd.h>

namespace anyorder::cli {
namespace {

constexpr std::chrono::milliseconds kBetween{200};

}  // namespace

Progress::Progress() : on_terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::show(const exploring::StateSpace& states) {
  const auto now = Clock::now();
  if (!on_terminal_ || now - last_ < kBetween) return;
  last_ = now;
  written_ = true;
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  std::fprintf(stderr, "\r\033[K%llu orders, %zu states, %.0f orders/s, depth %llu",
               static_cast<unsigned long long>(states.runs()), states.nodes().size(),
               static_cast<double>(states.runs()) / seconds,
               static_cast<unsigned long long>(states.deepest()));
  std::fflush(stderr);
}

void Progress::clear() {
  if (!written_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  written_ = false;
}

}  // namespace anyorder::cli
