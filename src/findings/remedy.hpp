// What would put the two accesses of a race in order: the smallest change that does, as the computation graph
// of the run decides it.
//
// Contract: a value; no thread affinity.
#pragma once

#include <cstdint>
#include <string_view>

#include "findings/source.hpp"

namespace anyorder::findings {

enum class RemedyKind : std::uint8_t {
  get,            // of the future created at `created`, before `before`
  finish,         // around `created`, that ends before `before`
  await,          // of the task posted at `created`, by its region, before `before`
  finish_inside,  // around `created`, inside the task that was created at `inside`
  isolated,       // around both: they are updates
  none,           // no single finish or get: tasks of one loop would run one after the other
};

[[nodiscard]] constexpr std::string_view to_string(RemedyKind kind) {
  switch (kind) {
    case RemedyKind::get:
      return "get";
    case RemedyKind::finish:
      return "finish";
    case RemedyKind::await:
      return "await";
    case RemedyKind::finish_inside:
      return "finish inside";
    case RemedyKind::isolated:
      return "isolated";
    case RemedyKind::none:
      return "none";
  }
  return {};
}

enum class LaterJoin : std::uint8_t { end_of_program, end_of_finish, get };

struct Remedy {
  RemedyKind kind = RemedyKind::none;
  Trace first;  // the access that came first in the run
  Trace second;
  Frame created;
  Frame before;  // knows nothing: the second access itself
  Frame inside;  // knows nothing: the main task
  // What does wait for the first access's task, but too late: the finish that began there, or the get.
  LaterJoin later = LaterJoin::end_of_program;
  Frame later_at;
  std::uint64_t pairs = 1;  // of steps, on which it was tried
  // The last lines of the calls that begin at `created`, and at `later_at` if that is a finish: there it is
  // waited for. 0: not known.
  std::uint32_t created_end = 0;
  std::uint32_t later_end = 0;
};

// Whether both are the same to a programmer, whichever accesses they are for.
[[nodiscard]] inline bool same_change(const Remedy& a, const Remedy& b) {
  return a.kind == b.kind && site_of(a.created) == site_of(b.created) &&
         site_of(a.before) == site_of(b.before) && site_of(a.inside) == site_of(b.inside);
}

}  // namespace anyorder::findings
