#include "explore/shared_states.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace anyorder::exploring {
namespace {

// 0 means that a place is free.
std::uint64_t mark_of(const Digest& state) { return state.low == 0 ? 1 : state.low; }

}  // namespace

SharedStates::SharedStates() : descriptor_(memfd_create("anyorder-states", MFD_CLOEXEC)) {
  if (descriptor_ < 0 || ftruncate(descriptor_, kPlaces * sizeof(Place)) != 0) {
    throw std::runtime_error(std::string("There is no memory to share: ") + std::strerror(errno) + ".");
  }
  map();
}

SharedStates::SharedStates(int descriptor) : descriptor_(descriptor) {
  map();
  close(std::exchange(descriptor_, -1));
}

SharedStates::~SharedStates() {
  munmap(places_, kPlaces * sizeof(Place));
  if (descriptor_ >= 0) close(descriptor_);
}

void SharedStates::map() {
  void* const memory =
      mmap(nullptr, kPlaces * sizeof(Place), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED) {
    throw std::runtime_error(std::string("Shared memory cannot be mapped: ") + std::strerror(errno) + ".");
  }
  places_ = static_cast<Place*>(memory);
}

SharedStates::Place& SharedStates::place_of(const Digest& state) const {
  std::size_t at = scrambled(state.low) % kPlaces;
  for (;; at = (at + 1) % kPlaces) {
    Place& place = places_[at];
    const std::uint64_t low = place.low.load(std::memory_order_acquire);
    if (low == 0) return place;
    if (low == mark_of(state) && place.high.load(std::memory_order_relaxed) == state.high) return place;
  }
}

void SharedStates::add(const Digest& state) {
  if (count_ >= kPlaces / 2) return;
  Place& place = place_of(state);
  if (place.low.load(std::memory_order_relaxed) != 0) return;
  place.high.store(state.high, std::memory_order_relaxed);
  place.low.store(mark_of(state), std::memory_order_release);
  ++count_;
}

bool SharedStates::contains(const Digest& state) const {
  return place_of(state).low.load(std::memory_order_acquire) != 0;
}

}  // namespace anyorder::exploring
