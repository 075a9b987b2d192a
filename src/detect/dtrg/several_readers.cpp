#include "detect/dtrg/several_readers.hpp"

#include <algorithm>

namespace anyorder::detect::dtrg {

Accessors SeveralReaders::with(Accessors before, Reader reader, ByteMask mask, std::uintptr_t address) {
  const Accessors after = before.is_log() ? with_one_more(before.readers(), reader, mask)
                                          : with_second({before.task(), before.site()}, reader, mask);
  if (after.is_log()) note_log_at(address);
  return after;
}

Accessors SeveralReaders::with_second(Reader first, Reader reader, ByteMask mask) {
  Pair& pair = pairs_[slot_of(first, reader.site)];
  if (pair.first != first || pair.second != reader) {
    found_.assign({first, reader});
    pair = {first, reader, logs_.of(found_)};
  }
  return Accessors::many(pair.log, mask);
}

Accessors SeveralReaders::with_one_more(LogPrefix readers, Reader reader, ByteMask mask) {
  seen += logs_.count_of(readers);
  if (relations_.of<true>(readers.newest) == Relation::stands || logs_.contains(readers, reader.task)) {
    return Accessors::many(readers, mask);
  }
  Remembered& remembered = reads_[slot_of(readers, reader.site)];
  if (remembered.epoch != graph_.epoch() || remembered.before != readers || remembered.site != reader.site) {
    const Accessors after = logs_.should_compact(readers)
                                ? without_superfluous(readers, reader, mask)
                                : Accessors::many(logs_.with(readers, reader), mask);
    remembered = {graph_.epoch(), readers, reader.site, after};
  }
  return remembered.after.with_bytes(mask);
}

Accessors SeveralReaders::without_superfluous(LogPrefix before, Reader reader, ByteMask mask) {
  found_.clear();
  bool superfluous = false;
  logs_.for_each(before, [&](const Reader& earlier) {
    if (graph_.precedes(earlier.task, reader.task)) return;
    superfluous = superfluous || graph_.stands_for_later_readers(earlier.task);
    found_.push_back(earlier);
  });
  if (!superfluous) found_.push_back(reader);
  if (found_.size() == 1) {
    return Accessors::one(history::tag_of(found_.front().task), found_.front().site, mask);
  }
  return Accessors::many(logs_.of(found_), mask);
}

void SeveralReaders::find_parallel(LogPrefix readers, TaskId writer) {
  // One race per site tells the user all; a log may have thousands of readers.
  found_.clear();
  logs_.for_each(readers, [&](const Reader& reader) {
    if (reader.task == writer || relations_.of<true>(reader.task) == Relation::precedes) return;
    const bool told = !tells_all && std::any_of(found_.begin(), found_.end(), [&](const Reader& other) {
      return other.site == reader.site;
    });
    if (!told) found_.push_back(reader);
  });
  if (found_.empty()) writes_[slot_of(readers, 0)] = {graph_.epoch(), readers, 0, {}};
}

void SeveralReaders::collect(history::Memory& shadow) {
  logs_.begin_collection();
  std::erase_if(pages_with_logs_, [&](std::uintptr_t page) {
    bool has_logs = false;
    const auto keep = [&](const Cell& cell) {
      if (!cell.readers.is_log()) return;
      logs_.keep(cell.readers.readers());
      has_logs = true;
    };
    shadow.for_each_cell(page * kPage, kPage, keep);
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
