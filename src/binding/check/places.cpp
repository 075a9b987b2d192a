#include "binding/check/places.hpp"

#include <utility>

#include "events/instrumented_code.hpp"

namespace anyorder::binding {

findings::Trace Place::to_trace() const {
  findings::Trace::Frames frames;
  for (const std::uintptr_t pc : pcs) {
    if (pc != 0) frames.push_back({pc, {}});
  }
  return findings::Trace(std::move(frames));
}

std::size_t Places::Hash::operator()(const Place& place) const noexcept {
  std::size_t hash = 0;
  for (const std::uintptr_t pc : place.pcs) hash = (hash ^ pc) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 32U);
}

PlaceNumber Places::at(std::uintptr_t pc, const CallStack& calls) {
  Place place;
  place.pcs[0] = pc;
  std::size_t count = 1;
  calls.for_each_of_task([&](const Call& call) {
    // A return address: the call is before it.
    if (events::instrumented_code.contains(call.call_pc - 1)) place.pcs[count++] = call.call_pc - 1;
  });
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = numbers_.try_emplace(place, static_cast<PlaceNumber>(numbers_.size() + 1));
  if (is_new) places_.push_back(&known->first);  // keys of a map stay where they are
  return known->second;
}

const Place& Places::operator[](PlaceNumber number) const {
  const std::lock_guard lock(mutex_);
  return *places_[number - 1];
}

}  // namespace anyorder::binding
