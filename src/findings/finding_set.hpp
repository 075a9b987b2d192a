// Collects what detectors and join policies find, without duplicates, in bounded memory.
//
// Contract: every member may be called from any thread at any time. What `snapshot` returns depends
// on the set of findings that were added, not on their order, and stays as it is while adding goes on.
//
// De-duplication never drops a racy location. Bytes of one object that the same kinds of access at
// the same pair of sites race on are listed once, each with the two earliest tasks that were
// reported; neighbouring bytes with the same witness are one entry. So memory grows with the number
// of racy locations and of distinct traces, not with the number of reports.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "findings/racy_ranges.hpp"
#include "findings/sink.hpp"
#include "findings/unknown_join.hpp"
#include "findings/verdict.hpp"

namespace anyorder::findings {

// All races between one pair of sites, whichever of the two came first.
struct RaceGroup {
  std::vector<Race> races;  // not empty; by address, then size, then the two accesses

  // The racy bytes, each counted once though it may be in several entries.
  [[nodiscard]] std::uint64_t bytes() const;
};

// What was found, in an order that does not depend on the schedule.
struct Findings {
  std::vector<RaceGroup> races;            // by pair of sites
  std::vector<Deadlock> deadlocks;         // each cycle starts at its lowest task number
  std::vector<UnknownJoin> unknown_joins;  // by the sites of the get and of the future's creation
  std::vector<Unsupported> unsupported;    // by construct, reason and site

  [[nodiscard]] std::size_t race_count() const;
  // Whether there is one that is excused, or not.
  [[nodiscard]] bool any_unknown_join(bool excused) const;
  [[nodiscard]] Verdict verdict() const {
    return verdict_of(!races.empty(), !deadlocks.empty(), any_unknown_join(false),
                      any_unknown_join(true) || !unsupported.empty());
  }
};

class FindingSet final : public Sink {
 public:
  void add(const Race& race) override { static_cast<void>(insert(race)); }
  void add(const Deadlock& found) override;
  void add(const Unsupported& unsupported) override { static_cast<void>(insert(unsupported)); }
  void add(const UnknownJoin& join) { static_cast<void>(insert(join)); }

  // As add; whether this told something that was not known before.
  bool insert(const Race& race);
  bool insert(const Unsupported& unsupported);
  bool insert(const UnknownJoin& join);

  [[nodiscard]] Findings snapshot() const;
  [[nodiscard]] Verdict verdict() const;

  // Distinct traces held for races and deadlocks; what tells that memory stays bounded.
  [[nodiscard]] std::size_t trace_count() const;

 private:
  // The lower site first, whichever access came first.
  struct SitePair {
    Site low;
    Site high;

    friend std::strong_ordering operator<=>(const SitePair&, const SitePair&) = default;
  };
  // What keeps the races of one pair of sites apart.
  struct Place {
    AccessKind low;
    AccessKind high;
    Memory memory;

    friend std::strong_ordering operator<=>(const Place&, const Place&) = default;
  };
  using UnknownJoinKey = std::pair<Site, Site>;
  using UnsupportedKey = std::tuple<std::string, std::string, Site>;

  // The pool's copy of an equal trace. The caller holds the lock.
  [[nodiscard]] Trace pooled(const Trace& trace);
  void drop_unused_traces();

  mutable std::mutex mutex_;  // guards all below
  std::map<SitePair, std::map<Place, RacyRanges>> races_;
  std::set<Deadlock> deadlocks_;
  std::map<UnknownJoinKey, UnknownJoin> unknown_joins_;
  std::map<UnsupportedKey, Unsupported> unsupported_;
  std::set<Trace> traces_;            // all that races_ and deadlocks_ hold, and some they gave up
  std::size_t traces_to_sweep_ = 64;  // traces_ is swept when it gets this large
};

}  // namespace anyorder::findings
