// Accesses of any size, with all that may come of them: the part of AccessHistory that is not made for speed.
//
// For the one file of a detector that instantiates its history.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "detect/history/access_history.hpp"
#include "support/check.hpp"
#include "support/equal_blocks.hpp"

namespace anyorder::detect::history {

template <Order O, class Readers>
std::span<const Conflict> AccessHistory<O, Readers>::read(TaskId task, std::uintptr_t address,
                                                          std::size_t bytes, SiteId site) {
  site_ = site;
  const auto site_of = [site] { return site; };
  return visit_range(
      address, bytes,
      [&](Cell& line, std::uintptr_t at) { return update_read<true>(line, at, kAllBytes, task, site_of); },
      [&](std::uintptr_t at, unsigned length) { read_part(at, length, task, site); });
}

template <Order O, class Readers>
std::span<const Conflict> AccessHistory<O, Readers>::write(TaskId task, std::uintptr_t address,
                                                           std::size_t bytes, SiteId site) {
  site_ = site;
  const auto site_of = [site] { return site; };
  return visit_range(
      address, bytes,
      [&](Cell& line, std::uintptr_t) { return update_write<true>(line, kAllBytes, task, site_of); },
      [&](std::uintptr_t at, unsigned length) { write_part(at, length, task, site); });
}

template <Order O, class Readers>
template <class UpdateLine, class UpdateWord>
std::span<const Conflict> AccessHistory<O, Readers>::visit_range(std::uintptr_t address, std::size_t bytes,
                                                                 UpdateLine update_line,
                                                                 UpdateWord update_word) {
  conflicts_.clear();
  // Neighbours mostly have the same history, or that of a word a little before.
  RecentUpdates recent;
  const auto on_line = [&](Cell* line, Cell* end, std::uintptr_t at) -> std::size_t {
    Cell after = *line;
    if (update_line(after, at)) return repeat<Memory::kLineBytes>(recent.add(*line, after), line, end, at);
    for (std::uintptr_t word = at; word != at + Memory::kLineBytes; word += Memory::kWordBytes) {
      update_word(word, unsigned{Memory::kWordBytes});
    }
    shadow_.close(at);
    return 1;
  };
  const auto on_word = [&](Cell* cell, Cell* end, std::uintptr_t at) -> std::size_t {
    const Cell before = *cell;
    found_ = false;
    update_word(at, unsigned{Memory::kWordBytes});
    if (found_ || Memory::is_split(before) || Memory::is_split(*cell)) return 1;
    return repeat<Memory::kWordBytes>(recent.add(before, std::exchange(*cell, before)), cell, end, at);
  };
  const auto in_sequence = [&]<std::size_t kCellSpan>(std::span<Cell> cells, std::uintptr_t begin,
                                                      const auto& update_one) {
    Cell* const end = cells.data() + cells.size();
    for (Cell* cell = cells.data(); cell != end;) {
      const std::uintptr_t at = begin + static_cast<std::size_t>(cell - cells.data()) * kCellSpan;
      const RecentUpdates::Update* const update = recent.find(*cell);
      cell += update != nullptr ? repeat<kCellSpan>(*update, cell, end, at) : update_one(cell, end, at);
    }
  };
  shadow_.for_range(
      address, bytes,
      [&](std::span<Cell> lines, std::uintptr_t at) {
        in_sequence.template operator()<Memory::kLineBytes>(lines, at, on_line);
      },
      [&](std::span<Cell> words, std::uintptr_t at) {
        in_sequence.template operator()<Memory::kWordBytes>(words, at, on_word);
        if (words.size() == Memory::kLineWords) shadow_.close(at);
      },
      [&](std::uintptr_t at, std::size_t length) { update_word(at, static_cast<unsigned>(length)); });
  return conflicts_;
}

// Makes the update in the cells from `cell` on that it is about: how many.
template <Order O, class Readers>
template <std::size_t kCellSpan>
std::size_t AccessHistory<O, Readers>::repeat(const RecentUpdates::Update& update, Cell* cell, Cell* end,
                                              [[maybe_unused]] std::uintptr_t address) {
  if constexpr (Readers::kKeepsSeveral) {
    if (update.after.readers.is_log() && !update.before.readers.is_log()) {
      const std::size_t noted = readers_.note_log_at(address) / kCellSpan;
      end = cell + std::min(noted, static_cast<std::size_t>(end - cell));
    }
  }
  return update.changes ? support::replace_equal(cell, end, update.before, update.after)
                        : support::count_equal<Cell>(cell, end, update.before);
}

template <Order O, class Readers>
void AccessHistory<O, Readers>::read_part(std::uintptr_t address, unsigned bytes, TaskId task, SiteId site) {
  const auto site_of = [site] { return site; };
  if (update_read_at<true>(address, bytes, task, site_of)) return;
  visit_pieces(address, bytes, [&](Cell& piece, std::uintptr_t at, unsigned length) {
    read_piece(piece, at, length, task, site);
  });
}

template <Order O, class Readers>
void AccessHistory<O, Readers>::write_part(std::uintptr_t address, unsigned bytes, TaskId task, SiteId site) {
  const auto site_of = [site] { return site; };
  if (update_write_at<true>(address, bytes, task, site_of)) return;
  visit_pieces(address, bytes, [&](Cell& piece, std::uintptr_t at, unsigned length) {
    write_piece(piece, at, length, task, site);
  });
}

// Calls on_piece for parts of a word of which all bytes have the same writer, or none, and the same readers.
template <Order O, class Readers>
template <class OnPiece>
void AccessHistory<O, Readers>::visit_pieces(std::uintptr_t address, unsigned bytes, OnPiece on_piece) {
  const auto visit = [&](std::uintptr_t begin, unsigned length) {
    shadow_.for_each_piece(begin, length, [&](Cell& cell, std::uintptr_t at, std::size_t piece) {
      on_piece(cell, at, static_cast<unsigned>(piece));
    });
  };
  const std::uintptr_t word = address - address % Memory::kWordBytes;
  if (const Cell& cell = shadow_.cell_of(address); !Memory::is_split(cell)) {
    const ByteMask mask = mask_at(address, bytes);
    const auto is_all_or_none = [mask](ByteMask some) { return (some & mask) == 0 || (some & mask) == mask; };
    if (is_all_or_none(cell.writer.bytes()) && is_all_or_none(cell.readers.bytes())) {
      visit(address, bytes);
      return join(word);
    }
  }
  struct Part {
    std::uintptr_t begin;
    unsigned bytes;
  };
  std::array<Part, Memory::kWordBytes> parts;
  std::size_t count = 0;
  shadow_.for_each_piece(address, bytes, [&](Cell& cell, std::uintptr_t at, std::size_t length) {
    const auto kind_of = [&](std::uintptr_t byte) {
      const ByteMask mask = mask_at(byte, 1);
      return ((cell.writer.bytes() & mask) != 0 ? 1 : 0) + ((cell.readers.bytes() & mask) != 0 ? 2 : 0);
    };
    for (std::uintptr_t begin = at; begin != at + length;) {
      std::uintptr_t end = begin + 1;
      while (end != at + length && kind_of(end) == kind_of(begin)) ++end;
      parts[count++] = {begin, static_cast<unsigned>(end - begin)};
      begin = end;
    }
  });
  for (std::size_t i = 0; i != count; ++i) visit(parts[i].begin, parts[i].bytes);
  join(word);
}

template <Order O, class Readers>
void AccessHistory<O, Readers>::read_piece(Cell& cell, std::uintptr_t address, unsigned bytes, TaskId task,
                                           SiteId site) {
  const ByteMask mask = mask_at(address, bytes);
  const std::uint32_t tag = tag_of(task);
  const Accessors writer = cell.writer.within(mask);
  const Accessors readers = cell.readers.within(mask);
  if (readers.is(tag) || writer.is(tag)) return;
  if (!writer.none() && relations_.template of<true>(writer.task()) != Relation::precedes) {
    found(address, bytes, findings::AccessKind::write, {writer.task(), writer.site()});
  }
  if (task == kRoot) return;
  if (readers.none()) {
    cell = {writer, Accessors::one(tag, site, mask)};
    return;
  }
  const Accessors after = with_reader(readers, {task, site}, mask, address);
  if (after != readers) cell = {writer, after};
}

template <Order O, class Readers>
void AccessHistory<O, Readers>::write_piece(Cell& cell, std::uintptr_t address, unsigned bytes, TaskId task,
                                            SiteId site) {
  const ByteMask mask = mask_at(address, bytes);
  const std::uint32_t tag = tag_of(task);
  const Accessors writer = cell.writer.within(mask);
  const Accessors readers = cell.readers.within(mask);
  if (!writer.none() && !relations_.template precedes<true>(writer, tag)) {
    found(address, bytes, findings::AccessKind::write, {writer.task(), writer.site()});
  }
  if (!readers.none()) {
    readers_.seen += others_among(readers, tag);
    check_readers(readers, address, bytes, task);
  }
  cell = task == kRoot ? Cell{} : Cell{Accessors::one(tag, site, mask), {}};
}

// One cell for the word again, if that can have what its pieces have.
template <Order O, class Readers>
void AccessHistory<O, Readers>::join(std::uintptr_t word) {
  const std::span<const Cell> pieces = shadow_.pieces_of(word);
  if (pieces.empty()) return;
  const auto bytes = static_cast<unsigned>(Memory::kWordBytes / pieces.size());
  Cell whole{};
  unsigned at = 0;
  for (const Cell& piece : pieces) {
    const ByteMask mask = mask_of(at, bytes);
    if (!add_to(whole.writer, piece.writer.within(mask)) ||
        !add_to(whole.readers, piece.readers.within(mask))) {
      return;
    }
    at += bytes;
  }
  shadow_.join(word, whole);
}

template <Order O, class Readers>
bool AccessHistory<O, Readers>::add_to(Accessors& all, Accessors piece) {
  if (piece.none() || (!are_several(piece) && order_.is_over(piece.task()))) return true;
  if (all.none()) {
    all = piece;
    return true;
  }
  if (all.same_as(piece)) {
    all = all.with_bytes(all.bytes() | piece.bytes());
    return true;
  }
  if (are_several(all) || are_several(piece) || all.task() != piece.task()) return false;
  const auto sites = sites_.with(all.site(), all.bytes(), piece.site(), piece.bytes());
  if (sites) all = Accessors::one(tag_of(all.task()), *sites, all.bytes() | piece.bytes());
  return sites.has_value();
}

template <Order O, class Readers>
Accessors AccessHistory<O, Readers>::with_reader(Accessors before, Reader reader, ByteMask mask,
                                                 std::uintptr_t address) {
  if (!are_several(before)) {
    ++readers_.seen;
    const Relation earlier = relations_.template of<true>(before.task());
    if (earlier == Relation::precedes) return Accessors::one(tag_of(reader.task), reader.site, mask);
    if (earlier == Relation::stands) return before;
  }
  if constexpr (Readers::kKeepsSeveral) {
    return readers_.with(before, reader, mask, address);
  } else {
    ANYORDER_CHECK(false, "two readers, and neither stands for the other");
  }
}

template <Order O, class Readers>
void AccessHistory<O, Readers>::check_readers(Accessors readers, std::uintptr_t address, unsigned bytes,
                                              TaskId writer) {
  const auto race_with = [&](Reader reader) { found(address, bytes, findings::AccessKind::read, reader); };
  if constexpr (Readers::kKeepsSeveral) {
    if (readers.is_log()) return readers_.check(readers.readers(), writer, race_with);
  }
  if (!relations_.template precedes<true>(readers, tag_of(writer))) {
    race_with({readers.task(), readers.site()});
  }
}

template <Order O, class Readers>
void AccessHistory<O, Readers>::found(std::uintptr_t address, unsigned bytes, findings::AccessKind kind,
                                      Reader earlier) {
  // Neighbours in one race are told once; a look at the last few will do.
  constexpr std::ptrdiff_t kLast = 8;
  found_ = true;
  const unsigned together = ByteSites::is_plain(earlier.site) && ByteSites::is_plain(site_) ? bytes : 1;
  for (std::uintptr_t at = address; at != address + bytes; at += together) {
    const auto byte = static_cast<unsigned>(at % Memory::kWordBytes);
    const SiteId site = sites_.at(earlier.site, byte);
    const SiteId later_site = sites_.at(site_, byte);
    const auto far = conflicts_.rbegin() + std::min<std::ptrdiff_t>(kLast, std::ssize(conflicts_));
    const auto same = std::find_if(conflicts_.rbegin(), far, [&](const Conflict& conflict) {
      return conflict.end == at && conflict.kind == kind && conflict.task == earlier.task &&
             conflict.site == site && conflict.later_site == later_site;
    });
    if (same != far) {
      same->end = at + together;
    } else {
      conflicts_.push_back({at, at + together, kind, earlier.task, site, later_site});
    }
  }
}

}  // namespace anyorder::detect::history
