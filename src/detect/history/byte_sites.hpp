// Sites for the bytes of one word: a number of 24 bits that says for each byte at which site it was accessed.
//
// A task that accesses the bytes of a word at several places in the code does so in the same way for many
// words. So each combination is kept once, and has a number above those of plain sites.
//
// Contract: one thread. Combinations stay.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "detect/history/byte_mask.hpp"
#include "detect/history/ids.hpp"

namespace anyorder::detect::history {

// Numbers below `kMostPlain` are plain sites, those from there up to `kMost` combinations.
template <SiteId kMostPlain, SiteId kMost>
class ByteSitesUpTo {
 public:
  using Combination = std::array<SiteId, 8>;

  // Whether all bytes have this one.
  [[nodiscard]] static constexpr bool is_plain(SiteId sites) noexcept { return sites < kMostPlain; }
  // The plain site of one byte.
  [[nodiscard]] SiteId at(SiteId sites, unsigned byte) const {
    return is_plain(sites) ? sites : combinations_[sites - kMostPlain][byte];
  }

  // Bytes `before` have these sites already, others of `bytes` get this one. Nothing: not known yet, for
  // known(); no number is left, for with().
  [[nodiscard]] std::optional<SiteId> known(SiteId sites, ByteMask before, SiteId site,
                                            ByteMask bytes) const noexcept {
    if (sites == site) return sites;
    const Recent& recent = recent_[slot_of(sites, before, site, bytes)];
    if (recent.sites == sites && recent.site == site && recent.bytes == (before << 8U | bytes)) {
      return recent.result;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<SiteId> with(SiteId sites, ByteMask before, SiteId site, ByteMask bytes) {
    if (const auto result = known(sites, before, site, bytes)) return result;
    Combination combination{};
    for (unsigned byte = 0; byte != combination.size(); ++byte) {
      if ((before >> byte & 1U) != 0) {
        combination[byte] = at(sites, byte);
      } else if ((bytes >> byte & 1U) != 0) {
        combination[byte] = at(site, byte);
      }
    }
    const std::optional<SiteId> result = number_of(combination, before | bytes);
    if (result) {
      recent_[slot_of(sites, before, site, bytes)] = {sites, site, before << 8U | bytes, *result};
    }
    return result;
  }
  // All bytes have these plain sites. Nothing: no number is left.
  [[nodiscard]] std::optional<SiteId> of(const Combination& sites) { return number_of(sites, kAllBytes); }

 private:
  struct Hash {
    std::size_t operator()(const Combination& sites) const noexcept {
      std::uint64_t hash = 0;
      for (const SiteId site : sites) hash = (hash ^ site) * 0x9e37'79b9'7f4a'7c15U;
      return hash ^ hash >> 32U;
    }
  };
  struct Recent {
    SiteId sites = ~SiteId{0};
    SiteId site = 0;
    std::uint32_t bytes = 0;
    SiteId result = 0;
  };
  static std::size_t slot_of(SiteId sites, ByteMask before, SiteId site, ByteMask bytes) noexcept {
    return (sites * 31U + site * 7U + before + bytes * 3U) % kRecent;
  }

  [[nodiscard]] std::optional<SiteId> number_of(const Combination& combination, ByteMask bytes) {
    const SiteId first = combination[static_cast<unsigned>(std::countr_zero(bytes)) % combination.size()];
    bool uniform = true;
    for (unsigned byte = 0; byte != combination.size(); ++byte) {
      if ((bytes >> byte & 1U) != 0) uniform = uniform && combination[byte] == first;
    }
    if (uniform) return first;
    const auto known = numbers_.find(combination);
    if (known != numbers_.end()) return known->second;
    const SiteId number = kMostPlain + static_cast<SiteId>(combinations_.size());
    if (number >= kMost) return std::nullopt;
    combinations_.push_back(combination);
    numbers_.emplace(combination, number);
    return number;
  }

  static constexpr std::size_t kRecent = 512;
  std::array<Recent, kRecent> recent_{};
  std::unordered_map<Combination, SiteId, Hash> numbers_;
  std::vector<Combination> combinations_;
};

using ByteSites = ByteSitesUpTo<kMostPlainSites, kMostSites>;

}  // namespace anyorder::detect::history
