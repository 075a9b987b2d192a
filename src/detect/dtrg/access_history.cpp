#include "detect/dtrg/access_history.hpp"

#include <algorithm>
#include <iterator>

namespace anyorder::detect::dtrg {

using findings::AccessKind;

AccessHistory::Relation AccessHistory::find_relation(TaskId earlier) {
  const Relation relation = graph_.precedes(earlier, graph_.running()) ? Relation::precedes
                            : graph_.stands_for_later_readers(earlier) ? Relation::stands
                                                                       : Relation::parallel;
  known_[slot_of(earlier)] = {key_of(earlier), relation};
  return relation;
}

std::span<const Conflict> AccessHistory::read(TaskId task, std::uintptr_t address, std::size_t bytes,
                                              SiteId site) {
  return visit_words(address, bytes,
                     [&](std::uintptr_t at, unsigned length) { read_part(at, length, task, site); });
}

std::span<const Conflict> AccessHistory::write(TaskId task, std::uintptr_t address, std::size_t bytes,
                                               SiteId site) {
  return visit_words(address, bytes,
                     [&](std::uintptr_t at, unsigned length) { write_part(at, length, task, site); });
}

template <class UpdateWord>
std::span<const Conflict> AccessHistory::visit_words(std::uintptr_t address, std::size_t bytes,
                                                     UpdateWord update_word) {
  constexpr std::size_t kWord = Memory::kWordBytes;
  conflicts_.clear();
  // Neighbours mostly have the same history.
  Cell before{};
  Cell after{};
  bool repeats = false;
  const std::uintptr_t end = address + bytes;
  for (std::uintptr_t at = address; at < end;) {
    const auto length = static_cast<unsigned>(std::min<std::uintptr_t>(end - at, kWord - at % kWord));
    if (length != kWord) {
      update_word(at, length);
      at += length;
      continue;
    }
    Cell& cell = shadow_.word(at);
    if (repeats && shadow::same_history(cell, before)) {
      cell = after;
    } else {
      before = cell;
      found_ = false;
      update_word(at, length);
      after = cell;
      repeats = !found_ && !Memory::is_split(before) && !Memory::is_split(after);
      if (repeats && after.readers.is_log()) repeats = false;  // its page would have to be noted
    }
    at += kWord;
  }
  return conflicts_;
}

void AccessHistory::read_part(std::uintptr_t address, unsigned bytes, TaskId task, SiteId site) {
  const auto site_of = [site] { return site; };
  Cell* const cell = shadow_.find(address, bytes);
  if (cell != nullptr && update_read<true>(*cell, address, mask_at(address, bytes), task, site_of)) return;
  visit_pieces(address, bytes, [&](Cell& piece, std::uintptr_t at, unsigned length) {
    read_piece(piece, at, length, task, site);
  });
}

void AccessHistory::write_part(std::uintptr_t address, unsigned bytes, TaskId task, SiteId site) {
  const auto site_of = [site] { return site; };
  Cell* const cell = shadow_.find(address, bytes);
  if (cell != nullptr && update_write<true>(*cell, mask_at(address, bytes), task, site_of)) return;
  visit_pieces(address, bytes, [&](Cell& piece, std::uintptr_t at, unsigned length) {
    write_piece(piece, at, length, task, site);
  });
}

// Calls on_piece for parts of a word of which all bytes have the same writer, or none, and the same readers.
template <class OnPiece>
void AccessHistory::visit_pieces(std::uintptr_t address, unsigned bytes, OnPiece on_piece) {
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
  for (std::size_t i = 0; i != count; ++i) {
    shadow_.for_each_piece(parts[i].begin, parts[i].bytes,
                           [&](Cell& cell, std::uintptr_t at, std::size_t length) {
                             on_piece(cell, at, static_cast<unsigned>(length));
                           });
  }
  join(address - address % Memory::kWordBytes);
}

void AccessHistory::read_piece(Cell& cell, std::uintptr_t address, unsigned bytes, TaskId task, SiteId site) {
  const ByteMask mask = mask_at(address, bytes);
  const std::uint32_t tag = tag_of(task);
  const Accessors writer = cell.writer.within(mask);
  const Accessors readers = cell.readers.within(mask);
  if (readers.is(tag) || writer.is(tag)) return;
  if (!writer.none() && relation<true>(writer.task()) != Relation::precedes) {
    found(address, bytes, AccessKind::write, {writer.task(), writer.site()});
  }
  if (task == kRoot) return;
  if (readers.none()) {
    cell = {writer, Accessors::one(tag, site, mask)};
    return;
  }
  const Accessors after = with_reader(readers, {task, site}, mask);
  if (after == readers) return;
  cell = {writer, after};
  if (after.is_log()) note_log_at(address);
}

void AccessHistory::write_piece(Cell& cell, std::uintptr_t address, unsigned bytes, TaskId task,
                                SiteId site) {
  const ByteMask mask = mask_at(address, bytes);
  const std::uint32_t tag = tag_of(task);
  const Accessors writer = cell.writer.within(mask);
  const Accessors readers = cell.readers.within(mask);
  if (!writer.none() && !precedes<true>(writer, tag)) {
    found(address, bytes, AccessKind::write, {writer.task(), writer.site()});
  }
  if (readers.is_log()) {
    readers_seen_ += logs_.count_of(readers.readers());
    check_readers(readers.readers(), address, bytes, task);
  } else if (!readers.none() && !readers.is(tag)) {
    ++readers_seen_;
    if (relation<true>(readers.task()) != Relation::precedes) {
      found(address, bytes, AccessKind::read, {readers.task(), readers.site()});
    }
  }
  cell = task == kRoot ? Cell{} : Cell{Accessors::one(tag, site, mask), {}};
}

// One cell for the word again, if that can have what its pieces have.
void AccessHistory::join(std::uintptr_t word) {
  if (!Memory::is_split(shadow_.word(word))) return;
  Cell whole{};
  bool fits = true;
  shadow_.for_each_piece(word, Memory::kWordBytes, [&](Cell& cell, std::uintptr_t at, std::size_t length) {
    const ByteMask mask = mask_at(at, static_cast<unsigned>(length));
    fits = fits && add_to(whole.writer, cell.writer.within(mask)) &&
           add_to(whole.readers, cell.readers.within(mask));
  });
  if (!fits) return;
  shadow_.for_each_piece(word, Memory::kWordBytes,
                         [&](Cell& cell, std::uintptr_t, std::size_t) { cell = whole; });
}

bool AccessHistory::add_to(Accessors& all, Accessors piece) {
  if (piece.none() || (!piece.is_log() && is_over(piece))) return true;
  if (all.none()) {
    all = piece;
    return true;
  }
  if (all.same_as(piece)) {
    all = all.with_bytes(all.bytes() | piece.bytes());
    return true;
  }
  if (all.is_log() || piece.is_log() || all.task() != piece.task()) return false;
  const auto sites = sites_.with(all.site(), all.bytes(), piece.site(), piece.bytes());
  if (sites) all = Accessors::one(tag_of(all.task()), *sites, all.bytes() | piece.bytes());
  return sites.has_value();
}

Accessors AccessHistory::with_reader(Accessors before, Reader reader, ByteMask mask) {
  const std::uint32_t tag = tag_of(reader.task);
  if (!before.is_log()) {
    ++readers_seen_;
    const Relation earlier = relation<true>(before.task());
    if (earlier == Relation::precedes) return Accessors::one(tag, reader.site, mask);
    if (earlier == Relation::stands) return before;
    const Reader first{before.task(), before.site()};
    Pair& pair = pairs_[slot_of(first, reader.site)];
    if (pair.first != first || pair.second != reader) {
      readers_.assign({first, reader});
      pair = {first, reader, logs_.of(readers_)};
    }
    return Accessors::many(pair.log, mask);
  }
  const LogPrefix readers = before.readers();
  readers_seen_ += logs_.count_of(readers);
  if (relation<true>(readers.newest) == Relation::stands || logs_.contains(readers, reader.task))
    return before;
  Remembered& remembered = reads_[slot_of(readers, reader.site)];
  if (remembered.epoch != graph_.epoch() || remembered.before != readers || remembered.site != reader.site) {
    const Accessors after = logs_.should_compact(readers)
                                ? without_superfluous(readers, reader, mask)
                                : Accessors::many(logs_.with(readers, reader), mask);
    remembered = {graph_.epoch(), readers, reader.site, after};
  }
  return remembered.after.with_bytes(mask);
}

Accessors AccessHistory::without_superfluous(LogPrefix before, Reader reader, ByteMask mask) {
  readers_.clear();
  bool superfluous = false;
  logs_.for_each(before, [&](const Reader& earlier) {
    if (graph_.precedes(earlier.task, reader.task)) return;
    superfluous = superfluous || graph_.stands_for_later_readers(earlier.task);
    readers_.push_back(earlier);
  });
  if (!superfluous) readers_.push_back(reader);
  if (readers_.size() == 1) {
    return Accessors::one(tag_of(readers_.front().task), readers_.front().site, mask);
  }
  return Accessors::many(logs_.of(readers_), mask);
}

void AccessHistory::check_readers(LogPrefix readers, std::uintptr_t address, unsigned bytes, TaskId writer) {
  if (are_known_to_precede(readers)) return;
  // One race per site tells the user all; a log may have thousands of readers.
  readers_.clear();
  logs_.for_each(readers, [&](const Reader& reader) {
    if (reader.task == writer || relation<true>(reader.task) == Relation::precedes) return;
    const bool told = std::any_of(readers_.begin(), readers_.end(),
                                  [&](const Reader& other) { return other.site == reader.site; });
    if (!told) readers_.push_back(reader);
  });
  if (readers_.empty()) writes_[slot_of(readers, 0)] = {graph_.epoch(), readers, 0, {}};
  for (const Reader& reader : readers_) found(address, bytes, AccessKind::read, reader);
}

void AccessHistory::found(std::uintptr_t address, unsigned bytes, AccessKind kind, Reader earlier) {
  // Neighbours in one race are told once; a look at the last few will do.
  constexpr std::ptrdiff_t kLast = 8;
  found_ = true;
  for (std::uintptr_t at = address; at != address + bytes; ++at) {
    const SiteId site = sites_.at(earlier.site, static_cast<unsigned>(at % Memory::kWordBytes));
    const auto far = conflicts_.rbegin() + std::min<std::ptrdiff_t>(kLast, std::ssize(conflicts_));
    const auto same = std::find_if(conflicts_.rbegin(), far, [&](const Conflict& conflict) {
      return conflict.end == at && conflict.kind == kind && conflict.task == earlier.task &&
             conflict.site == site;
    });
    if (same != far) {
      same->end = at + 1;
    } else {
      conflicts_.push_back({at, at + 1, kind, earlier.task, site});
    }
  }
}

void AccessHistory::collect() {
  logs_.begin_collection();
  std::erase_if(pages_with_logs_, [&](std::uintptr_t page) {
    bool has_logs = false;
    const auto keep = [&](const Cell& cell) {
      if (!cell.readers.is_log()) return;
      logs_.keep(cell.readers.readers());
      has_logs = true;
    };
    shadow_.for_range(
        page * kPage, kPage,
        [&](std::span<Cell> cells, std::uintptr_t) { std::for_each(cells.begin(), cells.end(), keep); },
        [&](Cell& cell, std::uintptr_t, std::size_t) { keep(cell); });
    return !has_logs;
  });
  logs_.end_collection();
  // Numbers that were given up mean other logs from now on.
  reads_.fill({});
  writes_.fill({});
  pairs_.fill({});
  noted_.fill(0);
}

}  // namespace anyorder::detect::dtrg
