#include "explore/guide.hpp"

#include <algorithm>
#include <utility>

namespace anyorder::exploring {

Guide::Guide(Run& run, const Program& program, Errand errand, const KnownStates& known,
             std::uint64_t most_sections)
    : run_(run), program_(program), errand_(std::move(errand)), known_(known), most_sections_(most_sections) {
  run_.begin();
}

void Guide::complete_edge() {
  Footprint footprint = run_.take_footprint();
  if (records_) trail_.footprints.push_back(std::move(footprint));
  records_ = false;
}

void Guide::found(const RaceSeen& race) {
  if (done_) return;
  trail_.race = race;
  end(Ending::race);
}

std::optional<std::size_t> Guide::next(std::span<const TaskNumber> standing) {
  if (done_) return std::nullopt;
  const auto load = [&](Word word) { return program_.load(word); };
  Schedule& made = trail_.choices;
  if (!standing.empty()) trail_.sections = std::max<std::uint64_t>(trail_.sections, made.size() + 1);

  if (made.size() < errand_.choices.size()) {
    const std::uint32_t choice = errand_.choices[made.size()];
    if (choice >= standing.size()) return end(Ending::diverged);
    made.push_back(choice);
    if (!errand_.last_state || made.size() != errand_.choices.size()) {
      run_.settle(load);
      return choice;
    }
    if (*errand_.last_state != run_.state(load)) return end(Ending::diverged);
    static_cast<void>(run_.take_footprint());
    records_ = true;
    return choice;
  }

  const Digest state = run_.state(load);
  complete_edge();
  if (standing.empty()) {
    trail_.stuck = run_.live_tasks(standing);
    return end(Ending::deadlock);
  }
  if (known_.contains(state)) {
    trail_.known = state;
    return end(Ending::known);
  }
  if (made.size() >= most_sections_) return end(Ending::too_deep);
  trail_.states.push_back({state, run_.live_tasks(standing), static_cast<std::uint32_t>(standing.size())});
  made.push_back(0);
  records_ = true;
  return 0;
}

void Guide::end_early() {
  if (done_) return;
  // Choices that are missing are 0.
  while (errand_.choices.size() > trail_.choices.size() && errand_.choices.back() == 0) {
    errand_.choices.pop_back();
  }
  if (trail_.choices.size() < errand_.choices.size()) {
    end(Ending::diverged);
  } else {
    complete_edge();
    end(Ending::complete);
  }
}

Trail Guide::take_trail() {
  end_early();
  trail_.any_choice_made = run_.any_choice_made();
  return std::move(trail_);
}

}  // namespace anyorder::exploring
