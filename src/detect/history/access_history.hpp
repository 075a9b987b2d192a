// The last writer of every byte and its readers since, and the two checks, of a read and of a write.
//
// Contract: one thread. The task of an access is the one that runs. What a call returns is valid until the
// next one.
//
// Invariant: every access since the last write is by one of the readers, or precedes one, or is stood for by
// one; or it is by the writer, or by the root. What the root has done, or what it has waited for, precedes
// all that is still to come: it is checked and not kept.
//
// There are three ways, each for what the one before cannot do. The cells are QuickCells: who has them sees
// that this task has made such an access before. try_read() and try_write(): a relation that is known at
// once; the result fits into the word's cell. read() and write(): everything (whole_access.hpp).
//
// `Readers` is who keeps a second reader, where none stands for the other: detect/dtrg/several_readers.hpp.
// Or it is OneReader: of all tasks that may run in parallel, each stands for the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "detect/history/byte_sites.hpp"
#include "detect/history/cell.hpp"
#include "detect/history/ids.hpp"
#include "detect/history/order.hpp"
#include "detect/history/recent_updates.hpp"
#include "detect/history/relations.hpp"
#include "findings/race.hpp"
#include "shadow/shadow.hpp"

namespace anyorder::detect::history {

// An earlier access that does not precede the one that was made, and where that was.
struct Conflict {
  std::uintptr_t begin;
  std::uintptr_t end;
  findings::AccessKind kind;
  TaskId task;
  SiteId site;
  SiteId later_site;
};

using Memory = shadow::Shadow<CellPolicy>;
static_assert(Memory::kBlocksAt == events::QuickCell::kBlocksAt &&
              Memory::kLineBytes == events::QuickCell::kLineBytes);

struct OneReader {
  static constexpr bool kKeepsSeveral = false;
  template <class O>
  OneReader(O& /*order*/, Relations<O>& /*relations*/) {}
  std::uint64_t seen = 0;  // over all accesses, of words or parts of them: other tasks that were kept before
};

template <Order O, class Readers>
class AccessHistory {
 public:
  // `order` outlives it.
  explicit AccessHistory(O& order) : order_(order), relations_(order), readers_(order, relations_) {}
  AccessHistory(const AccessHistory&) = delete;
  AccessHistory& operator=(const AccessHistory&) = delete;

  // All cells, as events/quick.hpp has them.
  [[nodiscard]] char* quick_cells() noexcept { return reinterpret_cast<char*>(&shadow_.line(0)); }
  void close_line(std::uintptr_t address) noexcept { shadow_.close(address); }
  void note_log_at([[maybe_unused]] std::uintptr_t address) {
    if constexpr (Readers::kKeepsSeveral) readers_.note_log_at(address);
  }

  // For accesses within a word. Takes no memory. site_of() is the site, or kNoSite if it takes longer to find
  // out. False: nothing was done.
  template <class SiteOf>
  [[nodiscard]] bool try_read(TaskId task, std::uintptr_t address, unsigned bytes, SiteOf site_of) {
    return update_read_at<false>(address, bytes, task, site_of);
  }
  template <class SiteOf>
  [[nodiscard]] bool try_write(TaskId task, std::uintptr_t address, unsigned bytes, SiteOf site_of) {
    return update_write_at<false>(address, bytes, task, site_of);
  }
  // The same for a whole line, if it is not open.
  template <class SiteOf>
  [[nodiscard]] bool try_read_line(TaskId task, std::uintptr_t address, SiteOf site_of) {
    Cell& line = shadow_.line(address);
    return !Memory::is_open(line) && update_read<false>(line, address, kAllBytes, task, site_of);
  }
  template <class SiteOf>
  [[nodiscard]] bool try_write_line(TaskId task, std::uintptr_t address, SiteOf site_of) {
    Cell& line = shadow_.line(address);
    return !Memory::is_open(line) && update_write<false>(line, kAllBytes, task, site_of);
  }

  // A site of all accesses to whole words: these, by byte. kNoSite: none is left.
  [[nodiscard]] SiteId site_of_word(const ByteSites::Combination& sites) {
    return sites_.of(sites).value_or(kNoSite);
  }

  std::span<const Conflict> read(TaskId task, std::uintptr_t address, std::size_t bytes, SiteId site);
  std::span<const Conflict> write(TaskId task, std::uintptr_t address, std::size_t bytes, SiteId site);

  // Whether the last of these found conflicts.
  [[nodiscard]] bool found_races() const noexcept { return !conflicts_.empty(); }

  // What lies there from now on was never accessed.
  void forget(std::uintptr_t address, std::size_t bytes) noexcept { shadow_.forget(address, bytes); }
  // The same for memory that is gone.
  void release(std::uintptr_t address, std::size_t bytes) noexcept { shadow_.release(address, bytes); }

  // As in shadow/shadow_space.hpp.
  [[nodiscard]] bool admit(std::uintptr_t address, std::size_t bytes) noexcept {
    return shadow_.admit(address, bytes);
  }
  void admit_process() { shadow_.admit_process(); }
  void expect(std::uintptr_t address, std::size_t bytes) noexcept { shadow_.expect(address, bytes); }

  // A task has been created, and runs; all below `over` precede all that is to come.
  void task_began(TaskId over) noexcept { relations_.forget_but_who_stands(over); }

  // Bytes of memory behind the cells. Slow.
  [[nodiscard]] std::size_t shadow_bytes() const { return shadow_.statistics().resident_bytes; }

  // Gives back what cells no longer refer to, if it is worth it. Between accesses.
  void collect_if_due() {
    if constexpr (Readers::kKeepsSeveral) {
      if (readers_.should_collect()) collect();
    }
  }
  void collect() {
    if constexpr (Readers::kKeepsSeveral) readers_.collect(shadow_);
  }

  [[nodiscard]] const Readers& readers() const noexcept { return readers_; }
  // Whether a write is told each reader that it races with, or one of each site.
  void tell_all_readers(bool wanted) noexcept {
    if constexpr (Readers::kKeepsSeveral) readers_.tells_all = wanted;
  }

 private:
  static ByteMask mask_at(std::uintptr_t address, unsigned bytes) noexcept {
    return mask_of(static_cast<unsigned>(address % Memory::kWordBytes), bytes);
  }
  static constexpr bool are_several(Accessors readers) noexcept {
    return Readers::kKeepsSeveral && readers.is_log();
  }

  // The effect of an access on a cell, for the bytes of the mask. False: nothing was done, since there is a
  // race, or the cell cannot have the result. Thorough: only then; else also if it would take long.
  template <bool kThorough, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline bool update_read(Cell& cell,
                                                            [[maybe_unused]] std::uintptr_t address,
                                                            ByteMask mask, TaskId task, SiteOf& site_of) {
    const std::uint32_t tag = tag_of(task);
    if (cell.readers.covers(tag, mask) || cell.writer.covers(tag, mask)) return true;
    if ((cell.writer.bytes() & mask) != 0 && !relations_.template precedes<kThorough>(cell.writer, tag))
      return false;
    if (task == kRoot) return true;
    const Accessors before = cell.readers;
    if (before.none() || (!are_several(before) && replaces<kThorough>(before, tag, mask))) {
      const SiteId site = site_of();
      if (!kThorough && site == kNoSite) return false;
      if (!before.none()) ++readers_.seen;
      cell.readers = Accessors::one(tag, site, mask);
      return true;
    }
    if (before.is(tag) && !are_several(before)) {
      const SiteId site = site_of();
      if (!kThorough && site == kNoSite) return false;
      const auto sites = combined<kThorough>(before.site(), before.bytes(), site, mask);
      if (!sites) return false;
      cell.readers = Accessors::one(tag, *sites, before.bytes() | mask);
      return true;
    }
    if (!are_several(before)) {
      const Relation earlier = relations_.template of<kThorough>(before.task());
      if (earlier == Relation::stands && (mask & ~before.bytes()) == 0) {
        ++readers_.seen;
        return true;
      }
      if constexpr (Readers::kKeepsSeveral) {
        if (earlier != Relation::parallel || before.bytes() != mask) return false;
        if (readers_.update_pair(cell, address, mask, task, site_of)) return true;
        if (!kThorough || mask != kAllBytes) return false;
        ++readers_.seen;
      }
    } else if constexpr (Readers::kKeepsSeveral) {
      if (before.bytes() != mask) return false;
      if (readers_.template update_log<kThorough>(cell, mask, task, site_of)) return true;
      if (!kThorough || mask != kAllBytes) return false;
    }
    if constexpr (kThorough && Readers::kKeepsSeveral) {
      // Of whole words, and of a line at once.
      cell.readers = readers_.with(before, {task, site_of()}, mask, address);
      return true;
    }
    return false;
  }

  template <bool kThorough, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline bool update_write(Cell& cell, ByteMask mask, TaskId task,
                                                             SiteOf& site_of) {
    const std::uint32_t tag = tag_of(task);
    const Accessors before = cell.writer;
    if ((before.bytes() & mask) != 0 && !relations_.template precedes<kThorough>(before, tag)) return false;
    const bool was_read = (cell.readers.bytes() & mask) != 0;
    if (was_read && !all_precede<kThorough>(cell.readers, tag)) return false;
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
      } else if ((before.bytes() & ~mask) != 0 && !order_.is_over(before.task())) {
        return false;
      }
      cell.writer = Accessors::one(tag, site, bytes);
    }
    if (was_read) {
      readers_.seen += others_among(cell.readers, tag);
      cell.readers = cell.readers.within(~mask);
    }
    return true;
  }

  // The same for these bytes, which are of one word. Of a split word, some may have been done if not all can
  // be: to do them again changes nothing.
  template <bool kThorough, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline bool update_read_at(std::uintptr_t address, unsigned bytes,
                                                               TaskId task, SiteOf& site_of) {
    return update_at(
        address, bytes, [&](Cell & cell, ByteMask mask) __attribute__((always_inline)) {
          return update_read<kThorough>(cell, address, mask, task, site_of);
        });
  }
  template <bool kThorough, class SiteOf>
  [[nodiscard, gnu::always_inline]] inline bool update_write_at(std::uintptr_t address, unsigned bytes,
                                                                TaskId task, SiteOf& site_of) {
    bool was_split = false;
    const auto update = [&](Cell & cell, ByteMask mask) __attribute__((always_inline)) {
      was_split = mask != kAllBytes;
      return update_write<kThorough>(cell, mask, task, site_of);
    };
    if (!update_at(address, bytes, update)) return false;
    // All of it has one history now.
    if (was_split && bytes == Memory::kWordBytes) [[unlikely]]
      join(address);
    return true;
  }
  template <class Update>
  [[nodiscard, gnu::always_inline]] inline bool update_at(std::uintptr_t address, unsigned bytes,
                                                          Update update) {
    const ByteMask mask = mask_at(address, bytes);
    return shadow_.update(
        address, bytes, [&](Cell & cell) __attribute__((always_inline)) { return update(cell, mask); },
        [&](Cell& piece, std::uintptr_t at, std::size_t length) {
          // Of its masks the part that means something.
          const ByteMask own = mask_at(at, static_cast<unsigned>(length));
          piece = {piece.writer.within(own), piece.readers.within(own)};
          return update(piece, mask & own);
        });
  }

  // Not thorough: false also if it is not remembered, of several.
  template <bool kThorough>
  [[nodiscard, gnu::always_inline]] inline bool all_precede(Accessors readers, std::uint32_t tag) {
    if constexpr (Readers::kKeepsSeveral) {
      if (readers.is_log()) {
        return kThorough ? readers_.all_precede(readers.readers(), tag - 1)
                         : readers_.are_known_to_precede(readers.readers());
      }
    }
    return relations_.template precedes<kThorough>(readers, tag);
  }
  [[nodiscard, gnu::always_inline]] inline std::uint64_t others_among(Accessors readers,
                                                                      std::uint32_t tag) const noexcept {
    if constexpr (Readers::kKeepsSeveral) {
      if (readers.is_log()) return readers_.count_of(readers.readers());
    }
    return readers.is(tag) ? 0 : 1;
  }
  // Whether a reader of these bytes makes an earlier one superfluous.
  template <bool kThorough>
  [[nodiscard, gnu::always_inline]] inline bool replaces(Accessors earlier, std::uint32_t tag,
                                                         ByteMask mask) {
    if (earlier.is(tag)) return false;
    if ((earlier.bytes() & ~mask) != 0) return order_.is_over(earlier.task());
    return relations_.template of<kThorough>(earlier.task()) == Relation::precedes;
  }

  template <bool kThorough>
  [[nodiscard]] std::optional<SiteId> combined(SiteId sites, ByteMask before, SiteId site, ByteMask bytes) {
    return kThorough ? sites_.with(sites, before, site, bytes) : sites_.known(sites, before, site, bytes);
  }

  // The same for any cell: pieces of words, with races. update_line(cell, address) is for the cell of a line
  // that is not open; false: nothing was done, and its words are to be looked at.
  template <class UpdateLine, class UpdateWord>
  [[gnu::always_inline]] inline std::span<const Conflict> visit_range(std::uintptr_t address,
                                                                      std::size_t bytes,
                                                                      UpdateLine update_line,
                                                                      UpdateWord update_word);
  template <std::size_t kCellSpan>
  [[nodiscard]] std::size_t repeat(const RecentUpdates::Update& update, Cell* cell, Cell* end,
                                   std::uintptr_t address);
  [[gnu::noinline]] void read_part(std::uintptr_t address, unsigned bytes, TaskId task, SiteId site);
  [[gnu::noinline]] void write_part(std::uintptr_t address, unsigned bytes, TaskId task, SiteId site);
  template <class OnPiece>
  [[gnu::always_inline]] inline void visit_pieces(std::uintptr_t address, unsigned bytes, OnPiece on_piece);
  void read_piece(Cell& cell, std::uintptr_t address, unsigned bytes, TaskId task, SiteId site);
  void write_piece(Cell& cell, std::uintptr_t address, unsigned bytes, TaskId task, SiteId site);
  void join(std::uintptr_t word);
  [[nodiscard]] bool add_to(Accessors& all, Accessors piece);

  // Of one that is not the only task that reads.
  [[nodiscard]] Accessors with_reader(Accessors before, Reader reader, ByteMask mask, std::uintptr_t address);
  // Races if one does not precede the write.
  void check_readers(Accessors readers, std::uintptr_t address, unsigned bytes, TaskId writer);
  void found(std::uintptr_t address, unsigned bytes, findings::AccessKind kind, Reader earlier);

  O& order_;
  Memory shadow_;
  ByteSites sites_;
  Relations<O> relations_;
  Readers readers_;
  // Of the access that is being made.
  SiteId site_ = kNoSite;
  std::vector<Conflict> conflicts_;
  bool found_ = false;  // one more of them
};

}  // namespace anyorder::detect::history
