// The readers of a location of which none stands for the others: more than a cell has room for.
//
// Two or more readers are the beginning of a log (reader_logs.hpp). What became of a log is remembered:
// mostly the next location has the same.
//
// Contract: one thread; `graph` and `relations` outlive it. The `Readers` of history::AccessHistory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "detect/dtrg/ids.hpp"
#include "detect/dtrg/reachability_graph.hpp"
#include "detect/dtrg/reader_logs.hpp"
#include "detect/history/access_history.hpp"
#include "detect/history/cell.hpp"
#include "detect/history/relations.hpp"

namespace anyorder::detect::dtrg {

class SeveralReaders {
 public:
  static constexpr bool kKeepsSeveral = true;

  SeveralReaders(ReachabilityGraph& graph, history::Relations<ReachabilityGraph>& relations)
      : graph_(graph), relations_(relations) {}

  // A second reader, where such a pair has become a log before. False: nothing was done.
  template <class SiteOf>
  [[nodiscard]] bool update_pair(Cell& cell, std::uintptr_t address, ByteMask mask, TaskId task,
                                 SiteOf& site_of) {
    const SiteId site = site_of();
    const Reader first{cell.readers.task(), cell.readers.site()};
    const Pair& pair = pairs_[slot_of(first, site)];
    const std::uintptr_t page = address / kPage;
    if (site == history::kNoSite || pair.first != first || pair.second != Reader{task, site} ||
        noted_[page % kNoted] != page) {
      return false;
    }
    ++seen;
    cell.readers = Accessors::many(pair.log, mask);
    return true;
  }
  // One more of a log.
  template <bool kThorough, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline bool update_log(Cell& cell, ByteMask mask, TaskId task,
                                                           SiteOf& site_of) {
    LogPrefix readers = cell.readers.readers();
    if (!graph_.is_future(readers.newest) && !graph_.began_before_last_moment(readers.newest)) {
      if (relations_.template of<kThorough>(readers.newest) != Relation::stands) return false;
      seen += logs_.count_of(readers);
      return true;
    }
    // It stands for nobody.
    if (logs_.should_compact(readers)) return false;
    const SiteId site = site_of();
    if (site == history::kNoSite) return false;
    const std::optional<std::uint32_t> others = logs_.extend(readers, {task, site});
    if (!others) return false;
    seen += *others;
    cell.readers = Accessors::many(readers, mask);
    return true;
  }
  // Any further reader, of one or of several.
  [[nodiscard]] Accessors with(Accessors before, Reader reader, ByteMask mask, std::uintptr_t address);

  // The cell of this address gets a log. For how many bytes from there on this need not be said again.
  std::size_t note_log_at(std::uintptr_t address) {
    const std::uintptr_t page = address / kPage;
    if (noted_[page % kNoted] != page) {
      noted_[page % kNoted] = page;
      pages_with_logs_.insert(page);
    }
    return kPage - address % kPage;
  }

  // Whether all precede what runs; false also if that is not remembered.
  [[nodiscard]] bool are_known_to_precede(LogPrefix readers) const noexcept {
    const Remembered& remembered = writes_[slot_of(readers, 0)];
    return remembered.epoch == graph_.epoch() && remembered.before == readers;
  }
  [[nodiscard]] bool all_precede(LogPrefix readers, TaskId writer) {
    if (are_known_to_precede(readers)) return true;
    find_parallel(readers, writer);
    return found_.empty();
  }
  // Calls on_race(Reader) for those that do not precede the write, one of each site unless all are wanted.
  template <class OnRace>
  void check(LogPrefix readers, TaskId writer, OnRace on_race) {
    if (are_known_to_precede(readers)) return;
    find_parallel(readers, writer);
    for (const Reader& reader : found_) on_race(reader);
  }
  [[nodiscard]] std::uint32_t count_of(LogPrefix readers) const noexcept { return logs_.count_of(readers); }

  // Logs that no cell has any more are worth being given back.
  [[nodiscard]] bool should_collect() const noexcept {
    return logs_.should_collect(kFewLogs +
                                pages_with_logs_.size() * (kPage / history::Memory::kWordBytes / 2));
  }
  void collect(history::Memory& shadow);
  [[nodiscard]] std::size_t log_count() const noexcept { return logs_.count(); }

  bool tells_all = false;  // of races that are told once, those with some readers may be none
  std::uint64_t seen = 0;  // over all accesses, of words or parts of them: other tasks that were kept before

 private:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kFewLogs = std::size_t{1} << 16U;

  [[nodiscard]] Accessors with_second(Reader first, Reader reader, ByteMask mask);
  [[nodiscard]] Accessors with_one_more(LogPrefix readers, Reader reader, ByteMask mask);
  [[nodiscard]] Accessors without_superfluous(LogPrefix before, Reader reader, ByteMask mask);
  void find_parallel(LogPrefix readers, TaskId writer);

  // What became of a log when a reader came, or that all of it precedes a write: the same for each location
  // that has the log, as long as no task operation comes between.
  struct Remembered {
    std::uint64_t epoch = ~std::uint64_t{0};
    LogPrefix before{};
    SiteId site = 0;
    Accessors after{};
  };
  static constexpr std::size_t kRemembered = 1024;
  [[nodiscard]] static std::size_t slot_of(LogPrefix readers, SiteId site) noexcept {
    return (readers.log * 31U + readers.newest * 7U + site) % kRemembered;
  }
  [[nodiscard]] static std::size_t slot_of(Reader first, SiteId site) noexcept {
    return (first.task * 31U + first.site * 7U + site) % kRemembered;
  }
  static constexpr std::size_t kNoted = 256;
  // Two readers that became a log, to be found again.
  struct Pair {
    Reader first{kNoTask, 0};
    Reader second{kNoTask, 0};
    LogPrefix log{};
  };

  ReachabilityGraph& graph_;
  history::Relations<ReachabilityGraph>& relations_;
  ReaderLogs logs_;
  std::vector<Reader> found_;  // room to work in
  std::array<Remembered, kRemembered> reads_{};
  std::array<Remembered, kRemembered> writes_{};
  std::array<Pair, kRemembered> pairs_{};
  // Every page of the program's in which a cell may have a log.
  std::unordered_set<std::uintptr_t> pages_with_logs_;
  std::array<std::uintptr_t, kNoted> noted_{};  // some of them; 0 is none that a program has
};

}  // namespace anyorder::detect::dtrg
