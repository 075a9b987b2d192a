#include "explore/search.hpp"

#include <utility>

namespace anyorder::exploring {

Result Search::go() {
  while (auto given = states_.next()) {
    if (const char* const bound = bound_reached()) {
      states_.end(Answer::out_of_bounds, std::move(given->errand.choices), bound);
      break;
    }
    Guide guide(run_, program_, given->errand, states_, bounds_.depth);
    program_.run(guide);
    Trail trail = guide.take_trail();
    run_.teach(states_.learnt());
    states_.accept(*given, std::move(trail));
  }
  return states_.result();
}

Result Search::replay(Schedule schedule) {
  Guide guide(run_, program_, {std::move(schedule), std::nullopt}, states_, bounds_.depth);
  program_.run(guide);
  states_.accept_replay(guide.take_trail());
  return states_.result();
}

const char* Search::bound_reached() const {
  if (states_.runs() >= bounds_.runs) return "orders";
  if (std::chrono::steady_clock::now() - begun_ > bounds_.time) return "seconds";
  return nullptr;
}

}  // namespace anyorder::exploring
