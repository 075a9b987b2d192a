// The last writer of every byte and its readers since, and the two checks: Algorithms 8 and 9.
//
// Contract: one thread. The task of an access is the one that runs. What a call returns is valid until the
// next one.
//
// Invariant: each reader of a byte may run in parallel with those that came after it. Every access since the
// last write is by one of the readers, or precedes one, or is stood for by one; or it is by the writer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "detect/dtrg/cell.hpp"
#include "detect/dtrg/ids.hpp"
#include "detect/dtrg/reachability_graph.hpp"
#include "detect/dtrg/reader_sets.hpp"
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

  std::span<const Conflict> read(TaskId task, std::uintptr_t address, std::size_t bytes, SiteId site) {
    return visit(address, bytes, [this, task, site](Cell& cell, std::uintptr_t at, std::size_t length) {
      read_cell(cell, at, length, task, site);
    });
  }
  std::span<const Conflict> write(TaskId task, std::uintptr_t address, std::size_t bytes, SiteId site) {
    return visit(address, bytes, [this, task, site](Cell& cell, std::uintptr_t at, std::size_t length) {
      write_cell(cell, at, length, task, site);
    });
  }

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
    if (sets_.should_collect(kFewSets + pages_with_sets_.size() * (kPage / Memory::kWordBytes / 2)))
      collect();
  }
  void collect();

  [[nodiscard]] std::size_t set_count() const noexcept { return sets_.count(); }
  // Over all accesses, of a piece of memory with one history each: the readers that were kept before.
  [[nodiscard]] double average_readers() const noexcept {
    return visits_ == 0 ? 0.0 : static_cast<double>(readers_seen_) / static_cast<double>(visits_);
  }

 private:
  using Memory = shadow::Shadow<CellPolicy>;
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kFewSets = std::size_t{1} << 16U;
  // Shorter accesses are those of instructions.
  static constexpr std::size_t kLongAccess = 16;

  template <class OnPiece>
  std::span<const Conflict> visit(std::uintptr_t address, std::size_t bytes, OnPiece on_piece) {
    if (!conflicts_.empty()) conflicts_.clear();
    if (bytes <= kLongAccess) [[likely]] {
      shadow_.for_each_piece(address, bytes, on_piece);
    } else {
      shadow_.for_range(
          address, bytes,
          [&](std::span<Cell> cells, std::uintptr_t at) {
            for (Cell& cell : cells) {
              on_piece(cell, at, std::size_t{Memory::kWordBytes});
              at += Memory::kWordBytes;
            }
          },
          on_piece);
    }
    return conflicts_;
  }

  void read_cell(Cell& cell, std::uintptr_t address, std::size_t bytes, TaskId task, SiteId site) {
    count(cell.readers);
    // Between a read and the next by the same task no other write has come, or it would have taken the reader
    // out; and a task that wrote last is asked for as the writer.
    if (cell.readers.word == task + 1 || cell.writer_word == task + 1) return;
    if (cell.readers.is_set() && sets_.newest(cell.readers.set()) == task) return;
    if (cell.written() && !graph_.precedes(cell.writer(), task)) {
      found(address, bytes, findings::AccessKind::write, {cell.writer(), cell.writer_site});
    }
    if (cell.readers.none()) {
      cell.readers = Readers::one(task, site);
      return;
    }
    const Readers after = with_reader(cell.readers, {task, site});
    if (after == cell.readers) return;
    cell.readers = after;
    if (after.is_set()) note_set_at(address);
  }

  void write_cell(Cell& cell, std::uintptr_t address, std::size_t bytes, TaskId task, SiteId site) {
    count(cell.readers);
    if (cell.written() && cell.writer() != task && !graph_.precedes(cell.writer(), task)) {
      found(address, bytes, findings::AccessKind::write, {cell.writer(), cell.writer_site});
    }
    if (!cell.readers.none()) {
      check_readers(cell.readers, address, bytes, task);
      cell.readers = {};
    }
    cell.set_writer(task, site);
  }

  void count(const Readers& readers) noexcept {
    ++visits_;
    if (!readers.none()) readers_seen_ += readers.is_set() ? sets_.size(readers.set()) : 1;
  }

  // The readers after a further one.
  [[nodiscard]] Readers with_reader(Readers before, Reader reader);
  // Races if one does not precede the write.
  void check_readers(Readers readers, std::uintptr_t address, std::size_t bytes, TaskId writer);
  void found(std::uintptr_t address, std::size_t bytes, findings::AccessKind kind, Reader earlier);
  void note_set_at(std::uintptr_t address) {
    const std::uintptr_t page = address / kPage;
    if (page == last_page_) return;
    last_page_ = page;
    pages_with_sets_.insert(page);
  }

  // What became of a set when a reader came, or that all of it precedes a write: the same for each location
  // that has the set, as long as no task operation comes between.
  struct Remembered {
    std::uint64_t epoch = ~std::uint64_t{0};
    SetId before = 0;
    SiteId site = 0;
    Readers after{};
  };
  static constexpr std::size_t kRemembered = 1024;
  [[nodiscard]] static std::size_t slot_of(SetId set, SiteId site) noexcept {
    return (set * 31U + site) % kRemembered;
  }

  ReachabilityGraph& graph_;
  Memory shadow_;
  ReaderSets sets_;
  std::vector<Conflict> conflicts_;  // of the access that is being made
  std::vector<Reader> readers_;      // room to work in
  std::array<Remembered, kRemembered> reads_{};
  std::array<Remembered, kRemembered> writes_{};
  // Every page of the program's in which a cell may have a set.
  std::unordered_set<std::uintptr_t> pages_with_sets_;
  std::uintptr_t last_page_ = ~std::uintptr_t{0};
  std::uint64_t visits_ = 0;
  std::uint64_t readers_seen_ = 0;
};

}  // namespace anyorder::detect::dtrg
