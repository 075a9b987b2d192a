// The last writer of every byte and its readers since, and the two checks: Algorithms 8 and 9.
//
// Contract: one thread. The task of an access is the one that runs. What a call returns is valid until the
// next one.
//
// Invariant: every access since the last write is by one of the readers, or precedes one, or is stood for by
// one; or it is by the writer, or by the root. What the root has done, or what it has waited for, precedes
// all that is still to come: it is checked and not kept.
//
// There are three ways, each for what the one before cannot do. The cells are QuickCells: who has them sees
// that this task has made such an access before. try_read() and try_write(): an answer by labels, or one
// remembered since the last task operation; the result fits into the word's cell. read() and write():
// everything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "detect/dtrg/byte_sites.hpp"
#include "detect/dtrg/cell.hpp"
#include "detect/dtrg/ids.hpp"
#include "detect/dtrg/reachability_graph.hpp"
#include "detect/dtrg/reader_logs.hpp"
#include "findings/race.hpp"
#include "shadow/shadow.hpp"

namespace anyorder::detect::dtrg {

// An earlier access that does not precede the one that was made.
struct Conflict {
  std::uintptr_t begin;
  std::uintptr_t end;
  findings::AccessKind kind;
  TaskId task;
  SiteId site;
};

class AccessHistory {
 public:
  // `graph` outlives it.
  explicit AccessHistory(ReachabilityGraph& graph) : graph_(graph) {}
  AccessHistory(const AccessHistory&) = delete;
  AccessHistory& operator=(const AccessHistory&) = delete;

  // All cells, as events/quick.hpp has them.
  [[nodiscard]] char* quick_cells() noexcept { return reinterpret_cast<char*>(&shadow_.word(0)); }

  // For accesses within a word. Takes no memory. site_of() is the site, or kNoSite if it takes longer to find
  // out. False: nothing was done.
  template <class SiteOf>
  [[nodiscard]] bool try_read(TaskId task, std::uintptr_t address, unsigned bytes, SiteOf site_of) {
    Cell* const cell = shadow_.find(address, bytes);
    return cell != nullptr && update_read<false>(*cell, address, mask_at(address, bytes), task, site_of);
  }
  template <class SiteOf>
  [[nodiscard]] bool try_write(TaskId task, std::uintptr_t address, unsigned bytes, SiteOf site_of) {
    Cell* const cell = shadow_.find(address, bytes);
    return cell != nullptr && update_write<false>(*cell, mask_at(address, bytes), task, site_of);
  }

  std::span<const Conflict> read(TaskId task, std::uintptr_t address, std::size_t bytes, SiteId site);
  std::span<const Conflict> write(TaskId task, std::uintptr_t address, std::size_t bytes, SiteId site);

  // What lies there from now on was never accessed.
  void forget(std::uintptr_t address, std::size_t bytes) noexcept { shadow_.forget(address, bytes); }
  // The same for memory that is gone.
  void release(std::uintptr_t address, std::size_t bytes) noexcept { shadow_.release(address, bytes); }

  // As in shadow/shadow_space.hpp.
  [[nodiscard]] bool admit(std::uintptr_t address, std::size_t bytes) noexcept {
    return shadow_.admit(address, bytes);
  }
  void admit_process() { shadow_.admit_process(); }

  // Gives back what cells no longer refer to, if it is worth it. Between accesses.
  void collect_if_due() {
    if (logs_.should_collect(kFewLogs + pages_with_logs_.size() * (kPage / Memory::kWordBytes / 2)))
      collect();
  }
  void collect();

  [[nodiscard]] std::size_t log_count() const noexcept { return logs_.count(); }
  // Over all accesses, of words or parts of them: other tasks that were kept as readers before.
  [[nodiscard]] std::uint64_t readers_seen() const noexcept { return readers_seen_; }

 private:
  using Memory = shadow::Shadow<CellPolicy>;
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kFewLogs = std::size_t{1} << 16U;

  // How an earlier task stands to the one that runs.
  enum class Relation : std::uint8_t {
    unknown,
    precedes,
    stands,   // may run in parallel, and stands for later readers
    parallel  // may run in parallel, and does not
  };

  static ByteMask mask_at(std::uintptr_t address, unsigned bytes) noexcept {
    return mask_of(static_cast<unsigned>(address % Memory::kWordBytes), bytes);
  }

  // The effect of an access on a cell, for the bytes of the mask. False: nothing was done, since there is a
  // race, or the cell cannot have the result. Thorough: only then; else also if it would take long.
  template <bool kThorough, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline bool update_read(Cell& cell, std::uintptr_t address, ByteMask mask,
                                                            TaskId task, SiteOf& site_of) {
    const std::uint32_t tag = tag_of(task);
    if (cell.readers.covers(tag, mask) || cell.writer.covers(tag, mask)) return true;
    if ((cell.writer.bytes() & mask) != 0 && !precedes<kThorough>(cell.writer, tag)) return false;
    if (task == kRoot) return true;
    const Accessors before = cell.readers;
    if (before.none() || (!before.is_log() && replaces<kThorough>(before, tag, mask))) {
      const SiteId site = site_of();
      if (!kThorough && site == kNoSite) return false;
      if (!before.none()) ++readers_seen_;
      cell.readers = Accessors::one(tag, site, mask);
      return true;
    }
    if (before.is(tag) && !before.is_log()) {
      const SiteId site = site_of();
      if (!kThorough && site == kNoSite) return false;
      const auto sites = combined<kThorough>(before.site(), before.bytes(), site, mask);
      if (!sites) return false;
      cell.readers = Accessors::one(tag, *sites, before.bytes() | mask);
      return true;
    }
    if (!before.is_log()) {
      const Relation earlier = relation<kThorough>(before.task());
      if (earlier == Relation::stands && (mask & ~before.bytes()) == 0) {
        ++readers_seen_;
        return true;
      }
      return earlier == Relation::parallel && before.bytes() == mask &&
             update_pair(cell, address, mask, task, site_of);
    }
    return before.bytes() == mask && update_log<kThorough>(cell, mask, task, site_of);
  }

  // A second reader, where such a pair has become a log before.
  template <class SiteOf>
  [[nodiscard]] bool update_pair(Cell& cell, std::uintptr_t address, ByteMask mask, TaskId task,
                                 SiteOf& site_of) {
    const SiteId site = site_of();
    const Reader first{cell.readers.task(), cell.readers.site()};
    const Pair& pair = pairs_[slot_of(first, site)];
    const std::uintptr_t page = address / kPage;
    if (site == kNoSite || pair.first != first || pair.second != Reader{task, site} ||
        noted_[page % kNoted] != page) {
      return false;
    }
    ++readers_seen_;
    cell.readers = Accessors::many(pair.log, mask);
    return true;
  }
  template <bool kThorough, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline bool update_log(Cell& cell, ByteMask mask, TaskId task,
                                                           SiteOf& site_of) {
    LogPrefix readers = cell.readers.readers();
    if (!graph_.is_future(readers.newest)) {
      if (relation<kThorough>(readers.newest) != Relation::stands) return false;
      readers_seen_ += logs_.count_of(readers);
      return true;
    }
    // A future stands for nobody.
    if (logs_.should_compact(readers)) return false;
    const SiteId site = site_of();
    if (site == kNoSite || !logs_.extend(readers, {task, site})) return false;
    readers_seen_ += logs_.count_of(readers) - 1;
    cell.readers = Accessors::many(readers, mask);
    return true;
  }

  template <bool kThorough, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline bool update_write(Cell& cell, ByteMask mask, TaskId task,
                                                             SiteOf& site_of) {
    const std::uint32_t tag = tag_of(task);
    const Accessors before = cell.writer;
    if ((before.bytes() & mask) != 0 && !precedes<kThorough>(before, tag)) return false;
    const bool was_read = (cell.readers.bytes() & mask) != 0;
    if (was_read && !(cell.readers.is_log() ? are_known_to_precede(cell.readers.readers())
                                            : precedes<kThorough>(cell.readers, tag))) {
      return false;
    }
    if (task == kRoot) {
      cell.writer = before.within(~mask);
      cell.readers = cell.readers.within(~mask);
      return true;
    }
    if (!before.covers(tag, mask)) {
      SiteId site = site_of();
      if (!kThorough && site == kNoSite) return false;
      ByteMask bytes = mask;
      if (before.is(tag)) {
        const auto sites = combined<kThorough>(before.site(), before.bytes(), site, mask);
        if (!sites) return false;
        site = *sites;
        bytes |= before.bytes();
      } else if ((before.bytes() & ~mask) != 0 && !is_over(before)) {
        return false;
      }
      cell.writer = Accessors::one(tag, site, bytes);
    }
    if (was_read) {
      readers_seen_ += cell.readers.is_log()  ? logs_.count_of(cell.readers.readers())
                       : cell.readers.is(tag) ? 0
                                              : 1;
      cell.readers = cell.readers.within(~mask);
    }
    return true;
  }

  // Whether one earlier task is the one that runs, or precedes it.
  template <bool kThorough>
  [[nodiscard, gnu::always_inline]] inline bool precedes(Accessors earlier, std::uint32_t tag) {
    return earlier.is(tag) || relation<kThorough>(earlier.task()) == Relation::precedes;
  }
  // Whether all readers precede what runs; false also if that is not remembered.
  [[nodiscard]] bool are_known_to_precede(LogPrefix readers) const noexcept {
    const Remembered& remembered = writes_[slot_of(readers, 0)];
    return remembered.epoch == graph_.epoch() && remembered.before == readers;
  }
  // Whether a reader of these bytes makes an earlier one superfluous.
  template <bool kThorough>
  [[nodiscard, gnu::always_inline]] inline bool replaces(Accessors earlier, std::uint32_t tag,
                                                         ByteMask mask) {
    if (earlier.is(tag)) return false;
    if ((earlier.bytes() & ~mask) != 0) return is_over(earlier);
    return relation<kThorough>(earlier.task()) == Relation::precedes;
  }
  // Whether it precedes all that is still to come.
  [[nodiscard]] bool is_over(Accessors earlier) { return graph_.find(earlier.task()) == kRoot; }

  template <bool kThorough>
  [[nodiscard, gnu::always_inline]] inline Relation relation(TaskId earlier) {
    const Known& known = known_[slot_of(earlier)];
    const Relation found = known.key == key_of(earlier) ? known.relation
                           : kThorough                  ? find_relation(earlier)
                                                        : relation_by_label(earlier);
    tell_thread(earlier, found);
    return found;
  }
  // The hooks may decide by it until the next task operation.
  static void tell_thread(TaskId earlier, Relation relation) noexcept {
    events::QuickThread& own = anyorder_quick_thread_1;
    if (relation == Relation::precedes) own.precede[tag_of(earlier) % 8] = tag_of(earlier);
    if (relation == Relation::stands) own.stands = tag_of(earlier);
  }
  [[nodiscard]] Relation relation_by_label(TaskId earlier) {
    if (!graph_.precedes_by_label(earlier)) return Relation::unknown;
    known_[slot_of(earlier)] = {key_of(earlier), Relation::precedes};
    return Relation::precedes;
  }
  [[nodiscard]] Relation find_relation(TaskId earlier);

  template <bool kThorough>
  [[nodiscard]] std::optional<SiteId> combined(SiteId sites, ByteMask before, SiteId site, ByteMask bytes) {
    return kThorough ? sites_.with(sites, before, site, bytes) : sites_.known(sites, before, site, bytes);
  }

  // The same for any cell: pieces of words, with races.
  template <class UpdateWord>
  std::span<const Conflict> visit_words(std::uintptr_t address, std::size_t bytes, UpdateWord update_word);
  void read_part(std::uintptr_t address, unsigned bytes, TaskId task, SiteId site);
  void write_part(std::uintptr_t address, unsigned bytes, TaskId task, SiteId site);
  template <class OnPiece>
  void visit_pieces(std::uintptr_t address, unsigned bytes, OnPiece on_piece);
  void read_piece(Cell& cell, std::uintptr_t address, unsigned bytes, TaskId task, SiteId site);
  void write_piece(Cell& cell, std::uintptr_t address, unsigned bytes, TaskId task, SiteId site);
  void join(std::uintptr_t word);
  [[nodiscard]] bool add_to(Accessors& all, Accessors piece);

  [[nodiscard]] Accessors with_reader(Accessors before, Reader reader, ByteMask mask);
  [[nodiscard]] Accessors without_superfluous(LogPrefix before, Reader reader, ByteMask mask);
  // Races if one does not precede the write.
  void check_readers(LogPrefix readers, std::uintptr_t address, unsigned bytes, TaskId writer);
  void found(std::uintptr_t address, unsigned bytes, findings::AccessKind kind, Reader earlier);
  void note_log_at(std::uintptr_t address) {
    const std::uintptr_t page = address / kPage;
    if (noted_[page % kNoted] == page) return;
    noted_[page % kNoted] = page;
    pages_with_logs_.insert(page);
  }

  struct Known {
    std::uint64_t key = ~std::uint64_t{0};
    Relation relation = Relation::unknown;
  };
  // Of a task and of now, up to 2^33 task operations.
  [[nodiscard]] std::uint64_t key_of(TaskId task) const noexcept { return graph_.epoch() << 31U | task; }
  static constexpr std::size_t kKnown = 256;
  [[nodiscard]] static std::size_t slot_of(TaskId task) noexcept { return task * 0x9e37'79b1U >> 24U; }
  static_assert(kKnown == std::size_t{1} << 8U);

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
  Memory shadow_;
  ByteSites sites_;
  ReaderLogs logs_;
  std::array<Known, kKnown> known_{};
  std::vector<Conflict> conflicts_;  // of the access that is being made
  bool found_ = false;               // one more of them
  std::vector<Reader> readers_;      // room to work in
  std::array<Remembered, kRemembered> reads_{};
  std::array<Remembered, kRemembered> writes_{};
  std::array<Pair, kRemembered> pairs_{};
  // Every page of the program's in which a cell may have a log.
  std::unordered_set<std::uintptr_t> pages_with_logs_;
  std::array<std::uintptr_t, kNoted> noted_{};  // some of them; 0 is none that a program has
  std::uint64_t readers_seen_ = 0;
};

}  // namespace anyorder::detect::dtrg
