#include "detect/dtrg/access_history.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace anyorder::detect::dtrg {

Readers AccessHistory::with_reader(Readers before, Reader reader) {
  if (!before.is_set()) {
    if (graph_.precedes(before.task(), reader.task)) return Readers::one(reader.task, reader.site);
    if (graph_.stands_for_later_readers(before.task())) return before;
    readers_.assign({{before.task(), before.site}, reader});
    return sets_.of(readers_);
  }
  Remembered& remembered = reads_[slot_of(before.set(), reader.site)];
  if (remembered.epoch == graph_.epoch() && remembered.before == before.set() &&
      remembered.site == reader.site) {
    return remembered.after;
  }
  sets_.copy_to(before.set(), readers_);
  bool superfluous = false;
  std::erase_if(readers_, [&](const Reader& earlier) {
    if (earlier.task == reader.task) {
      superfluous = true;
      return false;
    }
    if (graph_.precedes(earlier.task, reader.task)) return true;
    superfluous = superfluous || graph_.stands_for_later_readers(earlier.task);
    return false;
  });
  if (!superfluous) readers_.push_back(reader);
  const Readers after = sets_.of(readers_);
  remembered = {graph_.epoch(), before.set(), reader.site, after};
  return after;
}

void AccessHistory::check_readers(Readers readers, std::uintptr_t address, std::size_t bytes, TaskId writer) {
  using findings::AccessKind;
  if (!readers.is_set()) {
    if (readers.task() != writer && !graph_.precedes(readers.task(), writer)) {
      found(address, bytes, AccessKind::read, {readers.task(), readers.site});
    }
    return;
  }
  Remembered& remembered = writes_[slot_of(readers.set(), 0)];
  if (remembered.epoch == graph_.epoch() && remembered.before == readers.set()) return;
  // One race per site tells the user all; a set may have thousands of readers.
  readers_.clear();
  sets_.for_each(readers.set(), [&](const Reader& reader) {
    if (reader.task == writer || graph_.precedes(reader.task, writer)) return;
    const bool told = std::any_of(readers_.begin(), readers_.end(),
                                  [&](const Reader& other) { return other.site == reader.site; });
    if (!told) readers_.push_back(reader);
  });
  if (readers_.empty()) remembered = {graph_.epoch(), readers.set(), 0, {}};
  for (const Reader& reader : readers_) found(address, bytes, AccessKind::read, reader);
}

void AccessHistory::found(std::uintptr_t address, std::size_t bytes, findings::AccessKind kind,
                          Reader earlier) {
  // Neighbours in one race are told once; a look at the last few will do.
  constexpr std::ptrdiff_t kLast = 8;
  const auto far = conflicts_.rbegin() + std::min<std::ptrdiff_t>(kLast, std::ssize(conflicts_));
  const auto same = std::find_if(conflicts_.rbegin(), far, [&](const Conflict& conflict) {
    return conflict.end == address && conflict.kind == kind && conflict.task == earlier.task &&
           conflict.site == earlier.site;
  });
  if (same != far) {
    same->end = address + bytes;
  } else {
    conflicts_.push_back({address, address + bytes, kind, earlier.task, earlier.site});
  }
}

void AccessHistory::collect() {
  sets_.begin_collection();
  std::erase_if(pages_with_sets_, [&](std::uintptr_t page) {
    bool has_sets = false;
    const auto keep = [&](const Cell& cell) {
      if (!cell.readers.is_set()) return;
      sets_.keep(cell.readers.set());
      has_sets = true;
    };
    shadow_.for_range(
        page * kPage, kPage,
        [&](std::span<Cell> cells, std::uintptr_t) { std::for_each(cells.begin(), cells.end(), keep); },
        [&](Cell& cell, std::uintptr_t, std::size_t) { keep(cell); });
    return !has_sets;
  });
  sets_.end_collection();
  // Numbers that were given up mean other sets from now on.
  reads_.fill({});
  writes_.fill({});
  last_page_ = ~std::uintptr_t{0};
}

}  // namespace anyorder::detect::dtrg
