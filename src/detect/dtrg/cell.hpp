// What is kept of a location: its last writer, and who has read it since, each with the site. DTRG §4.2.
//
// One reader is in the cell; more are an interned set (reader_sets.hpp), by its number. Zero is "nobody", so
// a task's number is kept plus one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "detect/dtrg/ids.hpp"
#include "shadow/cell.hpp"

namespace anyorder::detect::dtrg {

using SetId = std::uint32_t;  // below 2^31

// Who has read a location: nobody, a task at a site, or a set. Equal readers have equal bytes.
struct Readers {
  std::uint32_t word;
  SiteId site;

  static constexpr std::uint32_t kIsSet = std::uint32_t{1} << 31U;

  static constexpr Readers one(TaskId task, SiteId site) noexcept { return {task + 1, site}; }
  static constexpr Readers set(SetId set) noexcept { return {kIsSet | set, 0}; }
  [[nodiscard]] constexpr bool none() const noexcept { return word == 0; }
  [[nodiscard]] constexpr bool is_set() const noexcept { return (word & kIsSet) != 0; }
  [[nodiscard]] constexpr SetId set() const noexcept { return word & ~kIsSet; }
  // The only reader, if there is one.
  [[nodiscard]] constexpr TaskId task() const noexcept { return word - 1; }
  friend bool operator==(const Readers&, const Readers&) = default;
};

struct Cell {
  std::uint32_t writer_word;
  SiteId writer_site;
  Readers readers;

  [[nodiscard]] constexpr bool written() const noexcept { return writer_word != 0; }
  [[nodiscard]] constexpr TaskId writer() const noexcept { return writer_word - 1; }
  void set_writer(TaskId task, SiteId site) noexcept {
    writer_word = task + 1;
    writer_site = site;
  }
};
static_assert(sizeof(Cell) == 16 && std::is_trivial_v<Cell>);

struct CellPolicy {
  using Cell = dtrg::Cell;
  static constexpr std::size_t kWordBytes = 8;

  // The upper 24 bits are those of a site's number, which is never as high.
  static constexpr std::uint64_t split_head(std::uint64_t link) noexcept { return kMark << 40U | link; }
  static constexpr bool is_split(std::uint64_t head) noexcept { return head >> 40U == kMark; }
  static constexpr std::uint64_t link(std::uint64_t head) noexcept {
    return head & ((std::uint64_t{1} << 40U) - 1);
  }

 private:
  static constexpr std::uint64_t kMark = 0xff'ffff;
};

}  // namespace anyorder::detect::dtrg
