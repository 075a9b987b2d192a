// What is kept of a word of memory: its last writer, and who has read it since, each with the site and the
// bytes of the word that it is about.
//
// A task that goes through the bytes of a word one by one has one cell all the way, as long as no other task
// comes between: bytes that are in no mask were never accessed. Where one writer and one set of readers are
// not enough, the word is split (shadow/split_word.hpp), and each piece has a cell. The masks of a piece's
// cell are those of its word, too; their bits for bytes outside of the piece mean nothing.
//
// One reader is in the cell; more, for detectors that have to keep several, are the beginning of a log that
// the detector has. Zero is "nobody", so a task's number is kept plus one: its tag.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "detect/history/byte_mask.hpp"
#include "detect/history/ids.hpp"
#include "events/quick.hpp"
#include "shadow/cell.hpp"

namespace anyorder::detect::history {

// The task as cells have it, never 0 and below 2^31.
constexpr std::uint32_t tag_of(TaskId task) noexcept { return task + 1; }

// A task that reads, and where.
struct Reader {
  TaskId task;
  SiteId site;
  friend bool operator==(const Reader&, const Reader&) = default;
};

// The readers of a log up to this one.
struct LogPrefix {
  std::uint32_t log;
  TaskId newest;
  friend bool operator==(const LogPrefix&, const LogPrefix&) = default;
};

// Who has accessed a location: nobody, a task at a site, or the readers of a log; and which bytes. The newest
// reader of a log is in the cell as if it were the only one, so that it finds itself there.
class Accessors {
 public:
  static constexpr std::uint32_t kMostLogs = (std::uint32_t{1} << 24U) - kFirstLog;

  static constexpr Accessors one(std::uint32_t tag, SiteId site, ByteMask bytes) noexcept {
    return {tag, site << 8U | bytes};
  }
  static constexpr Accessors many(LogPrefix readers, ByteMask bytes) noexcept {
    return {tag_of(readers.newest), (kFirstLog + readers.log) << 8U | bytes};
  }

  [[nodiscard]] constexpr bool none() const noexcept { return tag_ == 0; }
  [[nodiscard]] constexpr bool is_log() const noexcept { return marks_ >= kFirstLog << 8U; }
  // The one task, or the newest.
  [[nodiscard]] constexpr bool is(std::uint32_t tag) const noexcept { return tag_ == tag; }
  [[nodiscard]] constexpr TaskId task() const noexcept { return tag_ - 1; }
  [[nodiscard]] constexpr ByteMask bytes() const noexcept { return marks_ & kAllBytes; }
  [[nodiscard]] constexpr bool covers(std::uint32_t tag, ByteMask bytes) const noexcept {
    return tag_ == tag && (marks_ & bytes) == bytes;
  }

  // If it is no log.
  [[nodiscard]] constexpr SiteId site() const noexcept { return marks_ >> 8U; }
  // If it is one.
  [[nodiscard]] constexpr LogPrefix readers() const noexcept {
    return {(marks_ >> 8U) - kFirstLog, tag_ - 1};
  }

  // The same for these bytes alone; nobody if there are none.
  [[nodiscard]] constexpr Accessors within(ByteMask bytes) const noexcept {
    const std::uint32_t left = marks_ & (~kAllBytes | bytes);
    return (left & kAllBytes) == 0 ? Accessors{} : Accessors{tag_, left};
  }
  [[nodiscard]] constexpr Accessors with_bytes(ByteMask bytes) const noexcept {
    return {tag_, (marks_ & ~kAllBytes) | bytes};
  }
  // The same, whatever the bytes.
  [[nodiscard]] constexpr bool same_as(Accessors other) const noexcept {
    return tag_ == other.tag_ && marks_ >> 8U == other.marks_ >> 8U;
  }
  friend bool operator==(const Accessors&, const Accessors&) = default;

  Accessors() noexcept = default;  // of undefined content; Accessors{} is nobody

 private:
  constexpr Accessors(std::uint32_t tag, std::uint32_t marks) noexcept : tag_(tag), marks_(marks) {}

  std::uint32_t tag_;
  std::uint32_t marks_;  // the site or the log, then the bytes
};

struct Cell {
  Accessors writer;
  Accessors readers;
};
static_assert(std::is_trivial_v<Cell> && sizeof(Cell) == sizeof(events::QuickCell) &&
              std::has_unique_object_representations_v<Cell>);

struct CellPolicy {
  using Cell = history::Cell;
  static constexpr std::size_t kWordBytes = events::QuickCell::kWordBytes;

  // Where a cell has the writer's tag there is bit 31, which no tag has; and what would be its site is higher
  // than all. So a split word's cell is never taken for one that a task has accessed.
  static constexpr std::uint64_t split_head(std::uint64_t link) noexcept {
    return kMark << 41U | (link >> 31U) << 32U | kNoTag | (link & (kNoTag - 1));
  }
  static constexpr bool is_split(std::uint64_t head) noexcept { return head >> 41U == kMark; }
  static constexpr std::uint64_t link(std::uint64_t head) noexcept {
    return (head >> 32U & 0x1ffU) << 31U | (head & (kNoTag - 1));
  }

  static constexpr unsigned kBlockBits = events::QuickCell::kBlockBits;
  static constexpr Cell open(std::uint64_t block) noexcept {
    return std::bit_cast<Cell>(events::QuickCell::open(static_cast<std::uint32_t>(block)));
  }
  static constexpr bool is_open(const Cell& line) noexcept {
    return std::bit_cast<events::QuickCell>(line).is_open();
  }
  static constexpr std::uint64_t block_of(const Cell& line) noexcept {
    return std::bit_cast<events::QuickCell>(line).block();
  }

 private:
  static constexpr std::uint64_t kMark = 0x7f'ffff;
  static constexpr std::uint64_t kNoTag = std::uint64_t{1} << 31U;
};
static_assert(kMostSites < 0xff'fffe, "a site is not taken for a split word");

}  // namespace anyorder::detect::history
