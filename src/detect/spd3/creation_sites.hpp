// Where tasks are created, as numbers from 1 on: each place has one.
//
// Contract: any thread; a Recent is the caller's own, and of one object.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "events/listener.hpp"

namespace anyorder::detect::spd3 {

class CreationSites {
 public:
  // Few places create most tasks.
  struct Recent {
    struct Known {
      events::SourceSite site{};
      std::uint32_t number = 0;
    };
    std::array<Known, 16> known{};
  };

  [[nodiscard]] std::uint32_t number_of(const events::SourceSite& site, Recent& recent) {
    Recent::Known& known = recent.known[Hash{}(site) % recent.known.size()];
    if (known.number == 0 || !Same{}(known.site, site)) [[unlikely]]
      known = {site, find(site)};
    return known.number;
  }
  [[nodiscard]] events::SourceSite operator[](std::uint32_t number) const {
    const std::lock_guard hold(mutex_);
    return sites_[number - 1];
  }

 private:
  // Texts are constants of the program: the same place has the same addresses.
  struct Same {
    bool operator()(const events::SourceSite& a, const events::SourceSite& b) const noexcept {
      return a.line == b.line && a.file == b.file && a.function == b.function;
    }
  };
  struct Hash {
    std::size_t operator()(const events::SourceSite& site) const noexcept {
      const auto file = reinterpret_cast<std::uintptr_t>(site.file);
      return (file ^ file >> 6U ^ file >> 14U) * 31 + site.line;
    }
  };

  [[nodiscard]] std::uint32_t find(const events::SourceSite& site) {
    const std::lock_guard hold(mutex_);
    const auto [at, is_new] = numbers_.try_emplace(site, static_cast<std::uint32_t>(sites_.size() + 1));
    if (is_new) sites_.push_back(site);
    return at->second;
  }

  mutable std::mutex mutex_;  // guards all below
  std::vector<events::SourceSite> sites_;
  std::unordered_map<events::SourceSite, std::uint32_t, Hash, Same> numbers_;
};

}  // namespace anyorder::detect::spd3
