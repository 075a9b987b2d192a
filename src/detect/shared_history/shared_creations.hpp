// Where tasks are created (history/creations.hpp), for several threads; numbers from 1 on.
//
// Contract: any thread; a Recent is the caller's own, and of one object.
#pragma once

#include <cstdint>
#include <mutex>

#include "detect/history/creations.hpp"
#include "events/listener.hpp"

namespace anyorder::detect::shared_history {

class SharedCreations {
 public:
  using Recent = history::RecentCreations<16>;

  [[nodiscard]] std::uint32_t number_of(const events::SourceSite& place, Recent& recent) {
    return 1 + recent.id_of(place, [&] {
      const std::lock_guard hold(mutex_);
      return places_.id_of(place);
    });
  }
  [[nodiscard]] events::SourceSite operator[](std::uint32_t number) const {
    const std::lock_guard hold(mutex_);
    return places_[number - 1];
  }

 private:
  mutable std::mutex mutex_;  // guards the next
  history::CreationPlaces places_;
};

}  // namespace anyorder::detect::shared_history
