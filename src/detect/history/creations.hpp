// Places in the program's code where tasks are created, as numbers.
//
// Contract: one thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "detect/history/interned.hpp"
#include "events/listener.hpp"

namespace anyorder::detect::history {

class Creations {
 public:
  [[nodiscard]] std::uint32_t id_of(const events::SourceSite& at) {
    const SameSite site{at};
    return last_id_ != kNone && last_ == site ? last_id_ : find(site);
  }
  [[nodiscard]] const events::SourceSite& operator[](std::uint32_t id) const { return sites_[id].site; }

 private:
  struct SameSite {
    events::SourceSite site;
    friend bool operator==(const SameSite& a, const SameSite& b) {
      return a.site.line == b.site.line && a.site.file == b.site.file && a.site.function == b.site.function;
    }
  };
  struct Hash {
    std::size_t operator()(const SameSite& at) const noexcept {
      const auto file = reinterpret_cast<std::uintptr_t>(at.site.file);
      return (file ^ file >> 6U ^ file >> 14U) * 31 + at.site.line;
    }
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  [[nodiscard, gnu::noinline]] std::uint32_t find(const SameSite& site) {
    last_ = site;
    last_id_ = sites_.id_of(site);
    return last_id_;
  }

  Interned<SameSite, Hash> sites_;
  SameSite last_{};  // tasks are created in loops
  std::uint32_t last_id_ = kNone;
};

}  // namespace anyorder::detect::history
