// What an exploration (explore.hpp) comes to, and its bounds.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "anyorder/detail/export.hpp"
#include "anyorder/source_site.hpp"

namespace anyorder {

struct exploration_bounds {
  std::uint64_t max_orders = std::numeric_limits<std::uint64_t>::max();
  double max_seconds = std::numeric_limits<double>::infinity();
};

struct exploration {
  enum class verdict {
    proved,    // no schedule of f, with the data as it finds them, has a race or a deadlock
    race,      // a schedule that was run has one
    deadlock,  // likewise
    unknown,   // neither: `text` says why
  };
  verdict answer = verdict::unknown;
  std::uint64_t orders = 0;  // runs of f
  std::uint64_t states = 0;  // in which all tasks stood, that were told apart
  std::string schedule;      // of the race or the deadlock, for replay()
  std::string text;          // all of it in words

  [[nodiscard]] bool proved() const noexcept { return answer == verdict::proved; }
};

namespace detail {

// Without a schedule all orders are explored; with one, f is run once in that order.
ANYORDER_API exploration explore_orders(void (*function)(void*), void* f, const exploration_bounds& bounds,
                                        const std::string& schedule, source_site site);
// Starts the program anew if this library cannot explore.
ANYORDER_API void need_explorer() noexcept;

}  // namespace detail
}  // namespace anyorder
