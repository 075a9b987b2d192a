#include "findings/finding_set.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "support/check.hpp"

namespace anyorder::findings {

std::uint64_t RaceGroup::bytes() const {
  std::uint64_t bytes = 0;
  std::uintptr_t counted = 0;  // every racy byte below is counted: the races are sorted by address
  for (const Race& race : races) {
    const std::uintptr_t begin = std::max(race.address, counted);
    const std::uintptr_t end = race.address + race.size;
    if (end <= begin) continue;
    bytes += end - begin;
    counted = end;
  }
  return bytes;
}

bool Findings::any_unknown_join(bool excused) const {
  return std::any_of(unknown_joins.begin(), unknown_joins.end(),
                     [&](const UnknownJoin& join) { return join.excused == excused; });
}

std::size_t Findings::race_count() const {
  std::size_t count = 0;
  for (const RaceGroup& group : races) count += group.races.size();
  return count;
}

bool FindingSet::insert(const Race& race) {
  ANYORDER_CHECK(race.size > 0, "a race needs a byte to be on");
  ANYORDER_CHECK(race.first.kind == AccessKind::write || race.second.kind == AccessKind::write,
                 "two reads do not race");
  SitePair sites{site_of(race.first.site()), site_of(race.second.site())};
  Place place{race.first.kind, race.second.kind, race.memory};
  if (std::tie(sites.high, place.high) < std::tie(sites.low, place.low)) {
    std::swap(sites.low, sites.high);
    std::swap(place.low, place.high);
  }
  Witness witness{race.first, race.second};
  const std::uintptr_t end = race.address + race.size;

  const std::lock_guard lock(mutex_);
  auto& places = races_[std::move(sites)];
  auto entry = places.find(place);
  if (entry == places.end()) {
    if (auto* heap = std::get_if<HeapMemory>(&place.memory.object)) {
      heap->allocated_at = pooled(heap->allocated_at);
    }
    entry = places.emplace(std::move(place), RacyRanges{}).first;
  } else if (entry->second.covers(race.address, end, witness)) {
    return false;
  }
  for (Access* access : {&witness.first, &witness.second}) {
    access->stack = pooled(access->stack);
    access->created_at = pooled(access->created_at);
  }
  entry->second.add(race.address, end, witness);
  return true;
}

void FindingSet::add(const Deadlock& found) {
  Deadlock deadlock = found;
  auto& cycle = deadlock.cycle;
  ANYORDER_CHECK(!cycle.empty(), "a deadlock needs a task that waits");
  const auto lowest = std::min_element(cycle.begin(), cycle.end(),
                                       [](const Wait& a, const Wait& b) { return a.task < b.task; });
  std::rotate(cycle.begin(), lowest, cycle.end());

  const std::lock_guard lock(mutex_);
  if (deadlocks_.contains(deadlock)) return;
  for (Wait& wait : cycle) {
    wait.waits_at = pooled(wait.waits_at);
    wait.created_at = pooled(wait.created_at);
  }
  deadlocks_.insert(std::move(deadlock));
}

bool FindingSet::insert(const UnknownJoin& join) {
  UnknownJoinKey key{site_of(frame_in_own_code(join.got_at)),
                     site_of(frame_in_own_code(join.future_created_at))};
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = unknown_joins_.try_emplace(std::move(key), join);
  if (is_new) return true;
  UnknownJoin& kept = entry->second;
  kept.count += join.count;
  kept.excused = kept.excused && join.excused;
  return false;
}

bool FindingSet::insert(const Unsupported& unsupported) {
  UnsupportedKey key{unsupported.construct, unsupported.why, site_of(frame_in_own_code(unsupported.where))};
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = unsupported_.try_emplace(std::move(key), unsupported);
  if (is_new) return true;
  Unsupported& kept = entry->second;
  kept.count += unsupported.count;
  if (unsupported.where < kept.where) kept.where = unsupported.where;
  return false;
}

Findings FindingSet::snapshot() const {
  const std::lock_guard lock(mutex_);
  Findings findings;
  findings.races.reserve(races_.size());
  for (const auto& [sites, places] : races_) {
    auto& races = findings.races.emplace_back().races;
    for (const auto& [place, racy] : places) {
      for (const auto& [begin, range] : racy.ranges()) {
        races.push_back({begin, range.end - begin, range.witness.first, range.witness.second, place.memory});
      }
    }
    std::sort(races.begin(), races.end(), [](const Race& a, const Race& b) {
      return std::tie(a.address, a.size, a.first, a.second, a.memory) <
             std::tie(b.address, b.size, b.first, b.second, b.memory);
    });
  }
  findings.deadlocks.assign(deadlocks_.begin(), deadlocks_.end());
  for (const auto& [key, join] : unknown_joins_) findings.unknown_joins.push_back(join);
  for (const auto& [key, unsupported] : unsupported_) findings.unsupported.push_back(unsupported);
  return findings;
}

Verdict FindingSet::verdict() const {
  const std::lock_guard lock(mutex_);
  const auto any_join = [&](bool excused) {
    return std::any_of(unknown_joins_.begin(), unknown_joins_.end(),
                       [&](const auto& entry) { return entry.second.excused == excused; });
  };
  return verdict_of(!races_.empty(), !deadlocks_.empty(), any_join(false),
                    any_join(true) || !unsupported_.empty());
}

std::size_t FindingSet::trace_count() const {
  const std::lock_guard lock(mutex_);
  return traces_.size();
}

Trace FindingSet::pooled(const Trace& trace) {
  if (trace.empty()) return trace;
  const auto found = traces_.find(trace);
  if (found != traces_.end()) return *found;
  if (traces_.size() >= traces_to_sweep_) drop_unused_traces();
  return *traces_.insert(trace).first;
}

void FindingSet::drop_unused_traces() {
  // A witness that gives way to a smaller one leaves its traces behind. Sweeping when the pool has
  // doubled since the last sweep keeps the cost per trace constant.
  std::erase_if(traces_, [](const Trace& trace) { return trace.is_sole_owner(); });
  traces_to_sweep_ = std::max<std::size_t>(64, 2 * traces_.size());
}

}  // namespace anyorder::findings
