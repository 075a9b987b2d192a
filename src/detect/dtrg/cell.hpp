// What is kept of a word of memory: its last writer, and who has read it since, each with the site and the
// bytes of the word that it is about. DTRG §4.2.
//
// A task that goes through the bytes of a word one by one has one cell all the way, as long as no other task
// comes between: bytes that are in no mask were never accessed. Where one writer and one set of readers are
// not enough, the word is split (shadow/split_word.hpp), and each piece has a cell. The masks of a piece's
// cell are those of its word, too; their bits for bytes outside of the piece mean nothing.
//
// One reader is in the cell; more are the beginning of a log (reader_logs.hpp). Zero is "nobody", so a task's
// number is kept plus one: its tag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "detect/dtrg/ids.hpp"
#include "events/quick.hpp"
#include "shadow/cell.hpp"

namespace anyorder::detect::dtrg {

// Bytes of a word, one bit each, the lowest address in the lowest bit.
using ByteMask = std::uint32_t;
inline constexpr ByteMask kAllBytes = 0xff;

// The bytes of an access that begins at the byte `first` of its word.
constexpr ByteMask mask_of(unsigned first, unsigned bytes) noexcept {
  return ((ByteMask{1} << bytes) - 1) << first;
}

// The task as cells have it, never 0 and below 2^31.
constexpr std::uint32_t tag_of(TaskId task) noexcept { return task + 1; }

// The first so many readers of a log.
struct LogPrefix {
  std::uint32_t log;
  std::uint32_t length;
  friend bool operator==(const LogPrefix&, const LogPrefix&) = default;
};

// Who has accessed a location: nobody, a task at a site, or the readers of a log; and which bytes.
class Accessors {
 public:
  static constexpr std::uint32_t kMostLogs = std::uint32_t{1} << 26U;
  static constexpr std::uint32_t kLongestLog = (std::uint32_t{1} << 29U) - 1;

  static constexpr Accessors one(std::uint32_t tag, SiteId site, ByteMask bytes) noexcept {
    return {tag, site << 8U | bytes};
  }
  // The length does not fit into one of the two words beside the other fields.
  static constexpr Accessors many(LogPrefix readers, ByteMask bytes) noexcept {
    return {kIsLog | (readers.length >> 24U) << 26U | readers.log, readers.length << 8U | bytes};
  }

  [[nodiscard]] constexpr bool none() const noexcept { return who_ == 0; }
  [[nodiscard]] constexpr bool is_log() const noexcept { return (who_ & kIsLog) != 0; }
  [[nodiscard]] constexpr bool is(std::uint32_t tag) const noexcept { return who_ == tag; }
  [[nodiscard]] constexpr ByteMask bytes() const noexcept { return marks_ & kAllBytes; }
  // Whether it is this one task, and has accessed all of the bytes.
  [[nodiscard]] constexpr bool covers(std::uint32_t tag, ByteMask bytes) const noexcept {
    return who_ == tag && (marks_ & bytes) == bytes;
  }

  // Of one task.
  [[nodiscard]] constexpr TaskId task() const noexcept { return who_ - 1; }
  [[nodiscard]] constexpr SiteId site() const noexcept { return marks_ >> 8U; }
  // Of readers.
  [[nodiscard]] constexpr LogPrefix readers() const noexcept {
    return {who_ & (kMostLogs - 1), (who_ >> 26U & 0x1fU) << 24U | marks_ >> 8U};
  }

  // The same for these bytes alone; nobody if there are none.
  [[nodiscard]] constexpr Accessors within(ByteMask bytes) const noexcept {
    const std::uint32_t left = marks_ & (~kAllBytes | bytes);
    return (left & kAllBytes) == 0 ? Accessors{} : Accessors{who_, left};
  }
  [[nodiscard]] constexpr Accessors with_bytes(ByteMask bytes) const noexcept {
    return {who_, (marks_ & ~kAllBytes) | bytes};
  }
  // The same, whatever the bytes.
  [[nodiscard]] constexpr bool same_as(Accessors other) const noexcept {
    return who_ == other.who_ && marks_ >> 8U == other.marks_ >> 8U;
  }
  friend bool operator==(const Accessors&, const Accessors&) = default;

  Accessors() noexcept = default;  // of undefined content; Accessors{} is nobody

 private:
  static constexpr std::uint32_t kIsLog = std::uint32_t{1} << 31U;

  constexpr Accessors(std::uint32_t who, std::uint32_t marks) noexcept : who_(who), marks_(marks) {}

  std::uint32_t who_;    // a tag; or kIsLog, the length's upper 5 bits, the log's 26
  std::uint32_t marks_;  // the site, or the length's lower 24 bits; then the bytes
};

struct Cell {
  Accessors writer;
  Accessors readers;
};
static_assert(std::is_trivial_v<Cell> && sizeof(Cell) == sizeof(events::QuickCell) &&
              std::has_unique_object_representations_v<Cell>);

struct CellPolicy {
  using Cell = dtrg::Cell;
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

 private:
  static constexpr std::uint64_t kMark = 0x7f'ffff;
  static constexpr std::uint64_t kNoTag = std::uint64_t{1} << 31U;
};
static_assert(kMostSites <= 0xff'fffe, "a site is not taken for a split word");

}  // namespace anyorder::detect::dtrg
